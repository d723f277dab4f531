/* SPDX-License-Identifier: MIT */
/* The agent's options: what the command writes is what the agent reads. */
#include "jvm-bridge/control/agent_options.h"

#include <signal.h>

#include "core/base/die.h"
#include "tests/support.h"
#include "tests/tap.h"

/* What is read lives as long as the process. */
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* The part behind "=", which the JVM gives to the agent. */
static bool read_back(const char *argument, struct ditto_agent_options *options,
                      struct ditto_error *error)
{
    const char *text = strstr(argument, ".so=");
    return ditto_agent_options_parse(text ? text + 4 : NULL, options, error);
}

static void test_recording(void)
{
    static const char odd[] = "a,b=c%2c\n\x1f\xc3\xa9.so=";
    struct ditto_agent_options options;
    struct ditto_error error;
    char *argument = ditto_copy_text("-agentpath:/lib/agent.so", "an argument");
    argument = ditto_agent_option(argument, DITTO_AGENT_MODE, "record");
    argument = ditto_agent_option(argument, DITTO_AGENT_TRACE, odd);
    argument = ditto_agent_option(argument, DITTO_AGENT_INCLUDE, "com.acme.*\ncom.other");
    argument = ditto_agent_option(argument, DITTO_AGENT_EXCLUDE, "");
    argument = ditto_agent_option(argument, DITTO_AGENT_VALUE, "com.acme.Sensor.read");
    argument = ditto_agent_option(argument, DITTO_AGENT_VERIFY, "yes");
    argument = ditto_agent_option(argument, DITTO_AGENT_STANDSTILL, "end");
    argument = ditto_agent_option(argument, DITTO_AGENT_ORDER, "ditto");
    argument = ditto_agent_option(argument, "pruning", "none");
    ok(read_back(argument, &options, &error), "options of a recording are read");
    is_string(options.trace, odd, "a value may hold anything");
    is_string(options.include, "com.acme.*\ncom.other", "patterns");
    is_string(options.exclude, "", "an empty value");
    is_string(options.value, "com.acme.Sensor.read", "a method");
    is_string(options.record.order, "ditto", "the order");
    is_string(options.choices[0].name, "pruning", "an option of the order");
    is_string(options.choices[0].value, "none", "and its value");
    ok(!options.replay && options.verify && options.end_standstill && !options.do_writes &&
           options.debug == 0,
       "what is on, and what is not");
    free(argument);
}

static void test_replay(void)
{
    struct ditto_agent_options options;
    struct ditto_error error;
    char *argument = ditto_copy_text("-agentpath:/lib/agent.so", "an argument");
    argument = ditto_agent_option(argument, DITTO_AGENT_TRACE, "/tmp/trace.dt");
    argument = ditto_agent_option(argument, DITTO_AGENT_MODE, "replay");
    argument = ditto_agent_option(argument, DITTO_AGENT_DEBUG, "17");
    argument = ditto_agent_option(argument, DITTO_AGENT_DO_WRITES, "yes");
    ok(read_back(argument, &options, &error) && options.replay && options.debug == 17 &&
           options.do_writes && !options.verify,
       "options of a replay are read");
    free(argument);
}

static void write_unknown(void *argument)
{
    (void)argument;
    ditto_agent_option(ditto_copy_text("agent.so", "an argument"), "nonsense", "1");
}

static void test_refusals(void)
{
    static const char *const bad[] = {"mode=record",
                                      "trace=t,nonsense=1",
                                      "trace=t,verify",
                                      "trace=t,mode=sideways",
                                      "trace=%4",
                                      "trace=%zz",
                                      ""};
    struct ditto_agent_options options;
    struct ditto_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        error.text[0] = '\0';
        ok(!ditto_agent_options_parse(bad[i], &options, &error) && error.text[0],
           "refused: '%s': %s", bad[i], error.text);
    }
    ok(!ditto_agent_options_parse(NULL, &options, &error), "no options are refused");
    struct child_result result;
    in_child(write_unknown, NULL, &result);
    ok(result.exit_status == -SIGABRT && strstr(result.output, "no option 'nonsense'"),
       "what the agent does not know is not written");
}

int main(void)
{
    test_recording();
    test_replay();
    test_refusals();
    done_testing();
    return exit_status();
}
