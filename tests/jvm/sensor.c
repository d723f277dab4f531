/* SPDX-License-Identifier: MIT */
/* The native methods of Sensor.java: their answers depend on the time and on the calls so far. */
#include <jni.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

static _Atomic long calls;
static int is_open;

static long next(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_nsec / 7 + atomic_fetch_add(&calls, 1);
}

#define METHOD(type, name) JNIEXPORT type JNICALL Java_Sensor_##name

METHOD(void, open)(JNIEnv *jni, jclass class, jstring path)
{
    (void)class;
    const char *text = (*jni)->GetStringUTFChars(jni, path, NULL);
    FILE *file = fopen(text, "r");
    (*jni)->ReleaseStringUTFChars(jni, path, text);
    is_open = file != NULL;
    if (file)
        fclose(file);
    else
        (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/io/FileNotFoundException"), "gone");
}

#define NUMBER(type, name)                                                                         \
    METHOD(type, name)(JNIEnv * jni, jclass class)                                                 \
    {                                                                                              \
        (void)jni;                                                                                 \
        (void)class;                                                                               \
        return (type)next();                                                                       \
    }
NUMBER(jbyte, byteValue)
NUMBER(jchar, charValue)
NUMBER(jshort, shortValue)
NUMBER(jlong, longValue)
NUMBER(jfloat, floatValue)
NUMBER(jdouble, doubleValue)

METHOD(jboolean, isOpen)(JNIEnv *jni, jclass class)
{
    (void)jni;
    (void)class;
    return (jboolean)is_open;
}

METHOD(jint, intValue)
(JNIEnv *jni, jclass class, jlong a, jintArray b, jdouble c, jstring d, jfloat e)
{
    (void)class;
    jint first = 0;
    (*jni)->GetIntArrayRegion(jni, b, 0, 1, &first);
    int good = a == 1 && first == 2 && c == 3 && (*jni)->GetStringLength(jni, d) == 4 && e == 5;
    return good ? (jint)next() : -1;
}

METHOD(jstring, text)(JNIEnv *jni, jclass class, jboolean none)
{
    (void)class;
    char text[40];
    snprintf(text, sizeof text, "text %ld", next());
    return none ? NULL : (*jni)->NewStringUTF(jni, text);
}

METHOD(jintArray, numbers)(JNIEnv *jni, jclass class, jint length)
{
    (void)class;
    jintArray array = length < 0 ? NULL : (*jni)->NewIntArray(jni, length);
    for (jint i = 0; i < length; i++)
        (*jni)->SetIntArrayRegion(jni, array, i, 1, &(jint){(jint)next()});
    return array;
}

METHOD(jbyteArray, bytes)(JNIEnv *jni, jclass class, jint length)
{
    (void)class;
    return (*jni)->NewByteArray(jni, length);
}

METHOD(jdoubleArray, fractions)(JNIEnv *jni, jclass class, jint length)
{
    (void)class;
    jdoubleArray array = (*jni)->NewDoubleArray(jni, length);
    for (jint i = 0; i < length; i++)
        (*jni)->SetDoubleArrayRegion(jni, array, i, 1, &(jdouble){(double)next() / 3});
    return array;
}

METHOD(jlong, times)(JNIEnv *jni, jobject self, jint number)
{
    jclass class = (*jni)->GetObjectClass(jni, self);
    jfieldID factor = (*jni)->GetFieldID(jni, class, "factor", "I");
    return (jlong)(*jni)->GetIntField(jni, self, factor) * number + next();
}

METHOD(jint, fails)(JNIEnv *jni, jclass class)
{
    (void)class;
    char text[40];
    snprintf(text, sizeof text, "after %ld calls", next());
    (*jni)->ThrowNew(jni, (*jni)->FindClass(jni, "java/lang/IllegalStateException"), text);
    return 0;
}
