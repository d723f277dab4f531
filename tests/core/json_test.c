/* SPDX-License-Identifier: MIT */
/* Documents as the JSON writer prints them: layouts, separators, escapes; and harmless text. */
#include "core/base/json.h"
#include "core/base/text.h"
#include "tests/tap.h"

static char text[4096];

static FILE *begin(void)
{
    memset(text, 0, sizeof text);
    return fmemopen(text, sizeof text, "w");
}

static void test_layouts(void)
{
    struct ditto_json json = {.out = begin()};
    ditto_json_object(&json, NULL, DITTO_JSON_LINES);
    ditto_json_number(&json, "largest", UINT64_MAX);
    ditto_json_object(&json, "inline", DITTO_JSON_INLINE);
    ditto_json_bool(&json, "yes", true);
    ditto_json_bool(&json, "no", false);
    ditto_json_end(&json);
    ditto_json_array(&json, "lines", DITTO_JSON_LINES);
    ditto_json_number(&json, NULL, 0);
    ditto_json_object(&json, NULL, DITTO_JSON_FOLDED);
    ditto_json_number(&json, "a", 1);
    ditto_json_number(&json, "b", 2);
    ditto_json_fold(&json);
    ditto_json_object(&json, "c", DITTO_JSON_INLINE);
    ditto_json_array(&json, "deep", DITTO_JSON_FOLDED);
    for (uint64_t i = 0; i < 2; i++) {
        ditto_json_fold(&json);
        ditto_json_number(&json, NULL, i);
    }
    ditto_json_end(&json);
    ditto_json_end(&json);
    ditto_json_end(&json);
    ditto_json_end(&json);
    ditto_json_end(&json);
    fclose(json.out);
    is_string(text,
              "{\n"
              "  \"largest\": 18446744073709551615,\n"
              "  \"inline\": {\"yes\": true, \"no\": false},\n"
              "  \"lines\": [\n"
              "    0,\n"
              "    {\"a\": 1, \"b\": 2,\n"
              "      \"c\": {\"deep\": [\n"
              "        0,\n"
              "        1]}}\n"
              "  ]\n"
              "}\n",
              "objects and arrays in all layouts");
}

static void test_empty(void)
{
    struct ditto_json json = {.out = begin()};
    ditto_json_object(&json, NULL, DITTO_JSON_LINES);
    ditto_json_object(&json, "lines", DITTO_JSON_LINES);
    ditto_json_end(&json);
    ditto_json_array(&json, "folded", DITTO_JSON_FOLDED);
    ditto_json_end(&json);
    ditto_json_array(&json, "inline", DITTO_JSON_INLINE);
    ditto_json_end(&json);
    ditto_json_end(&json);
    fclose(json.out);
    is_string(text, "{\n  \"lines\": {\n  },\n  \"folded\": [],\n  \"inline\": []\n}\n",
              "what is empty");
}

static void test_strings(void)
{
    static const uint8_t bytes[] = {0, 0x7f, 0xff};
    struct ditto_json json = {.out = begin()};
    ditto_json_object(&json, NULL, DITTO_JSON_INLINE);
    ditto_json_string(&json, "a \"name\"", "");
    ditto_json_string(&json, "escapes", "x\"\\\n\x1b\x7fy");
    ditto_json_string(&json, "utf8", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    ditto_json_string(&json, "none", "\xff \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xc3");
    ditto_json_hex(&json, "hex", bytes, sizeof bytes);
    ditto_json_hex(&json, "no hex", bytes, 0);
    ditto_json_end(&json);
    fclose(json.out);
    is_string(text,
              "{\"a \\\"name\\\"\": \"\", \"escapes\": \"x\\\"\\\\\\u000a\\u001b\\u007fy\", "
              "\"utf8\": \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\", "
              "\"none\": \"\\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd "
              "\\ufffd\\ufffd\\ufffd\\ufffd \\ufffd\", \"hex\": \"007fff\", \"no hex\": \"\"}\n",
              "strings with all that JSON escapes");
}

static void test_harmless(void)
{
    FILE *out = begin();
    ditto_print_text(out, "a\x1b[2J\n\xc2\x85\xc2\xa0\xc3\xa9\x9b\x7f.");
    fclose(out);
    is_string(text, "a\\x1b[2J\\x0a\\xc2\\x85\xc2\xa0\xc3\xa9\\x9b\\x7f.",
              "text for a terminal has no controls");
    ok(ditto_begins("text", "te") && ditto_begins("text", "") && !ditto_begins("te", "text"),
       "how a text begins");
}

int main(void)
{
    test_layouts();
    test_empty();
    test_strings();
    test_harmless();
    done_testing();
    return exit_status();
}
