// SPDX-License-Identifier: MIT
import java.util.Arrays;
import java.util.Comparator;

/** What java.util.Arrays does to arrays that several threads share; or all that it does, for a comparison. */
final class Filled {
    static final int[] INTS = new int[64];
    static final byte[] BYTES = new byte[40];
    static final Object[] OBJECTS = new Object[20];

    private static void race() throws Exception {
        Race.run(3, (me, seen) -> {
            for (int i = 0; i < 60; i++) {
                switch ((i + me) % 8) {
                case 0:
                    Arrays.fill(INTS, me * 1000 + i);
                    Arrays.fill(BYTES, (byte) i);
                    break;
                case 1:
                    Arrays.sort(INTS);
                    break;
                case 2:
                    seen.append(Arrays.hashCode(INTS)).append(' ');
                    break;
                case 3:
                    Arrays.fill(INTS, 10, 30, -i);
                    INTS[me] = i;
                    break;
                case 4:
                    seen.append(Arrays.toString(INTS).hashCode()).append(' ');
                    break;
                case 5:
                    Arrays.setAll(INTS, k -> k < 2 ? me + 3 : INTS[k - 1] + INTS[k - 2]);
                    break;
                case 6:
                    Arrays.fill(OBJECTS, "x" + i);
                    seen.append(Arrays.equals(OBJECTS, OBJECTS)).append(' ');
                    break;
                default:
                    Arrays.sort(INTS, 5, 40);
                    seen.append(Arrays.binarySearch(INTS, 7)).append(' ').append(Arrays.mismatch(BYTES, new byte[40]));
                    Arrays.parallelSetAll(INTS, k -> k * me);
                    Arrays.parallelSort(INTS);
                }
            }
        });
        System.out.println(Arrays.toString(INTS) + Arrays.toString(BYTES) + Arrays.toString(OBJECTS));
    }

    private interface Attempt {
        Object run();
    }

    private static void say(Attempt attempt) {
        try {
            System.out.println(attempt.run());
        } catch (RuntimeException e) {
            System.out.println(e);
        }
    }

    private static void fill() {
        byte[] bytes = new byte[5];
        short[] shorts = new short[5];
        int[] ints = new int[5];
        long[] longs = new long[5];
        char[] chars = {'a', 'b', 'c', 'd', 'e'};
        float[] floats = new float[5];
        double[] doubles = new double[5];
        boolean[] booleans = new boolean[5];
        Object[] objects = new String[5];
        Arrays.fill(bytes, (byte) 7);
        Arrays.fill(bytes, 1, 3, (byte) -1);
        Arrays.fill(shorts, (short) 7);
        Arrays.fill(shorts, 1, 3, (short) -1);
        Arrays.fill(ints, 7);
        Arrays.fill(ints, 1, 3, -1);
        Arrays.fill(longs, 7L);
        Arrays.fill(longs, 1, 3, Long.MIN_VALUE);
        Arrays.fill(chars, 'x');
        Arrays.fill(chars, 1, 3, 'y');
        Arrays.fill(floats, 7.5f);
        Arrays.fill(floats, 1, 3, -0.0f);
        Arrays.fill(doubles, 7.5);
        Arrays.fill(doubles, 1, 3, Double.NaN);
        Arrays.fill(booleans, true);
        Arrays.fill(booleans, 1, 3, false);
        Arrays.fill(objects, "seven");
        Arrays.fill(objects, 1, 3, null);
        System.out.println(Arrays.toString(bytes) + Arrays.toString(shorts) + Arrays.toString(ints) + Arrays.toString(longs)
                + Arrays.toString(chars) + Arrays.toString(floats) + Arrays.toString(doubles) + Arrays.toString(booleans)
                + Arrays.toString(objects));
        System.out.println(Arrays.hashCode(bytes) + " " + Arrays.hashCode(shorts) + " " + Arrays.hashCode(ints) + " "
                + Arrays.hashCode(longs) + " " + Arrays.hashCode(chars) + " " + Arrays.hashCode(floats) + " "
                + Arrays.hashCode(doubles) + " " + Arrays.hashCode(booleans) + " " + Arrays.hashCode(objects));
    }

    private static void sort() {
        byte[] bytes = {3, -1, 2, 0, 9};
        short[] shorts = {3, -1, 2, 0, 9};
        int[] ints = {3, -1, 2, 0, 9};
        long[] longs = {3, -1, 2, 0, 9};
        char[] chars = {'d', 'a', 'c', 'b', 'z'};
        float[] floats = {3, -0.0f, 0.0f, Float.NaN, -2};
        double[] doubles = {3, -0.0, 0.0, Double.NaN, -2};
        String[] texts = {"d", "a", "c", "b", "z"};
        Arrays.sort(bytes, 1, 4);
        Arrays.sort(shorts, 1, 4);
        Arrays.sort(ints, 1, 4);
        Arrays.sort(longs, 1, 4);
        Arrays.sort(chars, 1, 4);
        Arrays.sort(floats, 1, 4);
        Arrays.sort(doubles, 1, 4);
        Arrays.sort(texts, 1, 4, Comparator.reverseOrder());
        System.out.println(Arrays.toString(bytes) + Arrays.toString(shorts) + Arrays.toString(ints) + Arrays.toString(longs)
                + Arrays.toString(chars) + Arrays.toString(floats) + Arrays.toString(doubles) + Arrays.toString(texts));
        Arrays.sort(bytes);
        Arrays.parallelSort(shorts);
        Arrays.sort(ints);
        Arrays.parallelSort(longs);
        Arrays.sort(chars);
        Arrays.parallelSort(floats, 0, 3);
        Arrays.sort(doubles);
        Arrays.parallelSort(texts);
        System.out.println(Arrays.toString(bytes) + Arrays.toString(shorts) + Arrays.toString(ints) + Arrays.toString(longs)
                + Arrays.toString(chars) + Arrays.toString(floats) + Arrays.toString(doubles) + Arrays.toString(texts));
        System.out.println(Arrays.binarySearch(ints, 2) + " " + Arrays.binarySearch(texts, "c") + " "
                + Arrays.binarySearch(longs, 1, 3, 7L) + " " + Arrays.equals(ints, new int[] {-1, 0, 2, 3, 9}) + " "
                + Arrays.equals(ints, 1, 3, new int[] {0, 2}, 0, 2) + " " + Arrays.compare(ints, new int[] {-1, 1}) + " "
                + Arrays.compareUnsigned(bytes, new byte[] {1}) + " " + Arrays.mismatch(texts, new String[] {"a", "x"}) + " "
                + Arrays.equals(texts, new String[] {"A", "B", "C", "D", "Z"}, String::compareToIgnoreCase));
    }

    private static void fail() {
        int[] ints = new int[4];
        say(() -> {
            Arrays.fill(ints, 3, 2, 1);
            return 0;
        });
        say(() -> {
            Arrays.fill(ints, -1, 2, 1);
            return 0;
        });
        say(() -> {
            Arrays.sort(ints, 3, 100);
            return 0;
        });
        say(() -> {
            Arrays.sort((int[]) null);
            return 0;
        });
        say(() -> {
            Arrays.fill((Object[]) new String[2], Integer.valueOf(3));
            return 0;
        });
        say(() -> Arrays.equals((int[]) null, null) + Arrays.toString((int[]) null) + Arrays.hashCode((int[]) null));
        say(() -> Arrays.mismatch(ints, null));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("race")) {
            race();
            return;
        }
        fill();
        sort();
        fail();
    }
}
