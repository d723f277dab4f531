#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# The stub as a process: random packets, interrupts, peers that vanish, addresses,
# a program as large as the JDK. Called with the stub over the toy JVM and the packet fuzzer.
#
# DITTO_PACKETS makes the random part longer, DITTO_GDB_SEED makes it another.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use Socket;
use Test::More;
use Time::HiRes qw(sleep time);

my $here = abs_path(dirname(__FILE__));
my ($stub, $fuzzer) = map { abs_path($_) } @ARGV;
plan skip_all => 'gdb is not installed' if system('gdb --version >/dev/null 2>&1') != 0;
plan skip_all => 'there is no javac' if system('javac -version >/dev/null 2>&1') != 0;
my $plugin = abs_path("$here/../../gdb-plugin/ditto.py");
my $work = tempdir(CLEANUP => 1);
my $seed = $ENV{DITTO_GDB_SEED} // 1;
$ENV{DITTO} = $stub;
$ENV{HOME} = $work;
delete $ENV{DEBUGINFOD_URLS};

system("javac -g -nowarn -d $work/classes $here/java/com/acme/*.java") == 0 or BAIL_OUT('the programs do not compile');

sub make_trace {
    my ($name, $program, $more) = @_;
    open my $out, '>', "$work/$name.dt" or die;
    print $out "classes $work/classes\nsources $here/java\nmain com/acme/$program\n", $more // '';
    close $out;
    return "$work/$name.dt";
}

# Whether nothing that has our directory among its arguments runs any more.
sub nothing_left {
    for (1 .. 100) {
        return 1 if !grep { /\Q$work\E/ } `ps -eo args`;
        sleep 0.1;
    }
    return 0;
}

# What hangs is a failure, not a reason to wait.
sub within {
    my ($seconds, $pid) = @_;
    for (1 .. $seconds * 10) {
        return 1 if waitpid($pid, 1) == $pid;
        sleep 0.1;
    }
    kill 'KILL', $pid;
    waitpid $pid, 0;
    return 0;
}

my $trace = make_trace('bank', 'Bank');

# -- random packets
my $packets = $ENV{DITTO_PACKETS} // 3000;
my $said = `$fuzzer $packets $seed $stub stub $trace 2>&1`;
is($?, 0, "$packets random packets") or diag($said);

ok(nothing_left(), 'and nothing is left behind');

# -- interrupts: a program that would take minutes
my $slow = make_trace('slow', 'Bank', "slow 20000\n");
for my $way ('c', 'bc') {
    my $pid = open2(my $from, my $to, $stub, 'stub', $slow);
    my $receive = sub {
        my $packet = '';
        while (read $from, my $byte, 1) {
            $packet .= $byte;
            last if $packet =~ /\$[^#]*#..\z/;
        }
        return $packet;
    };
    my $send = sub {
        my ($packet) = @_;
        my $sum = 0;
        $sum += ord for split //, $packet;
        printf $to '$%s#%02x', $packet, $sum & 255;
        $to->flush;
        return $receive->();
    };
    local $SIG{ALRM} = sub { kill 'KILL', $pid };
    alarm 60;
    $send->('QStartNoAckMode');
    if ($way eq 'bc') {
        $send->('vCont;s:1') for 1 .. 40;
    }
    my $sum = 0;
    $sum += ord for split //, $way;
    printf $to '$%s#%02x', $way, $sum & 255;
    $to->flush;
    sleep 0.3;
    print $to "\003";
    $to->flush;
    my $before = time;
    my $stop = $receive->();
    like($stop, qr/\$T02thread:/, "Ctrl-C stops $way");
    cmp_ok(time - $before, '<', 5, 'soon');
    # One that comes while nothing runs: gdb may be about to go on by itself, or its user sees the stop.
    print $to "\003";
    like($send->($way), qr/\$T02thread:/, 'Ctrl-C between two packets stops the next run');
    print $to "\003";
    $send->('qXfer:threads:read::0,fff');
    like($send->('vCont;s:1;c'), qr/\$T05thread:/, 'unless gdb has shown the stop');
    # A gdb that vanishes while the program runs.
    printf $to '$%s#%02x', $way, $sum & 255;
    $to->flush;
    close $to;
    close $from;
    ok(within(20, $pid) && ($? & 127) == 0, 'and without gdb the stub ends');
    alarm 0;
}

# -- long commands of `monitor`: how far they are, and Ctrl-C
{
    my $said = `gdb -nx -q -batch -ex 'target remote | $stub stub $slow' -ex 'monitor progress on' -ex 'monitor writes Account.balance' 2>&1`;
    my @done = $said =~ /^ditto: +(\d+)% after/mg;
    ok(@done >= 3 && join(',', @done) eq join(',', sort { $a <=> $b } @done) && $done[0] < 50 && $done[-1] > 50,
        'a long command tells how far it is: ' . join(' ', @done));
    like($said, qr/^ *7  clock 38 .* 320 -> 321/m, 'and ends with its answer');

    my $pid = open2(my $from, my $to, "exec gdb -nx -q -x $plugin 2>&1");
    local $SIG{ALRM} = sub { kill 'KILL', $pid };
    alarm 60;
    print $to "target ditto $slow\necho here\\n\nditto writes Account.balance\necho =====\\n\nprint \$_ditto_clock\nditto info\nditto writes Bank.shared of 1\nquit\n";
    $to->flush;
    while (my $line = <$from>) {
        last if $line =~ /here/;
    }
    sleep 1.2;
    my $before = time;
    kill 'INT', $pid;
    my $answer = '';
    while (my $line = <$from>) {
        $answer .= $line;
        last if $line =~ /=====/;
    }
    like($answer, qr/ditto: stopped/, 'Ctrl-C stops `ditto writes`');
    cmp_ok(time - $before, '<', 3, 'soon');
    my $rest = do { local $/; <$from> };
    like($rest, qr/\$1 = 0\n.*^at clock 0 of 50.*ditto: 1 is no object/ms, 'and gdb and the stub go on');
    waitpid $pid, 0;
    alarm 0;
}

# -- a gdb that is killed, with the plugin: before and after it has connected
{
    my $pid = fork;
    if (!$pid) {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec 'gdb', '-nx', '-q', '-batch', '-x', $plugin, '-ex', "target ditto $slow", '-ex', 'continue';
    }
    for (1 .. 100) {
        last if grep { /\Q$stub\E.*\Q$slow\E/ } `ps -eo args`;
        sleep 0.1;
    }
    sleep 0.5;
    kill 'KILL', $pid;
    waitpid $pid, 0;
    ok(nothing_left(), 'a gdb that is killed takes its stub with it');
}

# -- addresses
sub refused {
    my ($address) = @_;
    my $said = `$stub stub --listen $address $trace 2>&1 </dev/null`;
    return ($? >> 8, $said);
}
my ($status, $text) = refused('0.0.0.0:4711');
is($status, 2, 'an address that others can reach is refused');
like($text, qr/0\.0\.0\.0:4711: is open to other machines.*use localhost:PORT/, 'with a remedy');
chmod 0755, $work;
($status, $text) = refused("$work/socket");
is($status, 2, 'a socket in a directory that others may enter is refused');
like($text, qr/mkdir -m 700/, 'with a remedy');
mkdir "$work/private", 0700;
my $server = fork;
if (!$server) {
    open STDERR, '>', '/dev/null';
    exec $stub, 'stub', '--listen', "$work/private/socket", $trace;
}
for (1 .. 100) {
    last if -S "$work/private/socket";
    sleep 0.1;
}
is((stat "$work/private/socket")[2] & 0777, 0600, 'the socket is its owner\'s alone');
kill 'TERM', $server;
ok(within(20, $server), 'a signal ends a stub that waits');
ok(!-e "$work/private/socket", 'and goes with the stub');
$server = fork;
if (!$server) {
    exec $stub, 'stub', '--listen', 'localhost:47119', $trace;
}
sleep 0.5;
my $answer = `gdb -nx -q -batch -ex 'target extended-remote localhost:47119' -ex 'info threads' 2>&1`;
ok(within(20, $server), 'the stub ends with its gdb');
like($answer, qr/"teller-2" \(not started yet\)/, 'a port of this machine is served');

# -- a prompt that says that one is in the past
open my $script, '>', "$work/script" or die;
print $script "target ditto $trace\nditto goto 20\nditto goto end\nquit\n";
close $script;
$answer = `gdb -nx -q -x $plugin <$work/script 2>&1`;
like($answer, qr/\(gdb, in the past: clock 20 of 50\) /, 'the prompt tells the clock in the past');
like($answer, qr/in java_thread_entry \(\)\n\(gdb\) /, 'and nothing at the end');

# -- as many classes as java.base has
SKIP: {
    my $java = abs_path(`sh -c 'command -v javac'` =~ s/\n//r);
    my $home = dirname(dirname($java));
    skip('no jimage to take the JDK apart', 1) if !-x "$home/bin/jimage" || $ENV{DITTO_NO_JDK_CLASSES};
    system("$home/bin/jimage extract --include 'regex:/java.base/.*' --dir $work/jdk $home/lib/modules") == 0 or skip('no java.base', 1);
    unlink "$work/jdk/java.base/module-info.class";
    my $large = make_trace('large', 'Bank', "classes $work/jdk/java.base\n");
    # Others may use the machine, too: how much longer than it should something takes is no news.
    my ($best, $limit) = (1000, 0);
    for (1 .. 3) {
        my ($before, $used) = (time, (times)[0]);
        my $sum = 0;
        $sum += $_ for 1 .. 5_000_000;
        my $slowdown = (time - $before) / ((times)[0] - $used + 0.001);
        $before = time;
        my $said = `gdb -nx -q -batch -x $plugin -ex 'target ditto $large' -ex 'break HashMap.put' 2>&1`;
        my $seconds = time - $before;
        next if $said !~ /Breakpoint 1 at/;
        $best = $seconds if $seconds < $best;
        $limit = 3 * ($slowdown > 1 ? $slowdown : 1) * ($ENV{DITTO_SLOWER} // 1);
        last if $best < $limit;
    }
    diag(sprintf 'ready after %.2f s with all of java.base; the limit is %.2f s', $best, $limit);
    cmp_ok($best, '<', $limit, 'a program as large as java.base is open within 3 seconds');
}
done_testing();
