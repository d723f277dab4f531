#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# Random commands, one after the other in one gdb: gdb and the stub must live, answer each in time,
# and leave nothing behind.
#
#     commands.t fake STUB      over the toy JVM
#     commands.t ditto DITTO    over a recording
#
# DITTO_GDB_COMMANDS: how many; DITTO_GDB_SEED: which. DITTO_SHOW=1 shows what was said.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use Test::More;
use Time::HiRes qw(sleep time);

my $here = abs_path(dirname(__FILE__));
my ($machine, $command) = @ARGV;
plan skip_all => 'gdb is not installed' if system('gdb --version >/dev/null 2>&1') != 0;
plan skip_all => 'there is no javac' if system('javac -version >/dev/null 2>&1') != 0;
$command = abs_path($command);
my $plugin = abs_path("$here/../../gdb-plugin/ditto.py");
my $work = tempdir(CLEANUP => 1);
my $seed = $ENV{DITTO_GDB_SEED} // 1;
my $count = $ENV{DITTO_GDB_COMMANDS} // ($machine eq 'fake' ? 150 : 40);
my $enough = 60 * ($ENV{DITTO_SLOWER} // 1);    # seconds for one command
$ENV{DITTO} = $command;
$ENV{HOME} = $work;
delete $ENV{DEBUGINFOD_URLS};

system("javac -g -nowarn -d $work/classes $here/java/com/acme/*.java") == 0 or BAIL_OUT('the programs do not compile');
my ($trace, $main) = ("$work/trace.dt", $machine eq 'fake' ? 'Bank' : 'Relay');
if ($machine eq 'fake') {
    open my $out, '>', $trace or die;
    print $out "classes $work/classes\nsources $here/java\nmain com/acme/Bank\n";
    close $out;
} else {
    system("$command record -o $trace java -cp $work/classes:$here/java com.acme.Relay >$work/said 2>&1") == 0
        or BAIL_OUT('the program is not recorded');
}

my @words = ('break Account.deposit', 'break Account.remember', "break $main.guarded", 'break Account.deposit thread 3',
    'break Account.deposit if amount > 10', 'tbreak Account.remember', "tbreak $main.main", 'delete', 'continue',
    'reverse-continue', 'step', 'next', 'stepi', 'nexti', 'finish', 'until', 'reverse-step', 'reverse-next', 'reverse-stepi',
    'reverse-nexti', 'reverse-finish', 'up', 'down', 'thread 1', 'thread 2', 'thread 3', 'info threads', 'backtrace',
    'thread apply all backtrace', 'info locals', 'print *this', 'print $_ditto_clock',
    "watch -location $main\::shared->balance", 'watch Account::count', 'watch this->used', 'awatch Account::count',
    "rwatch -location $main\::shared->used", 'catch throw', 'ditto goto 20', 'ditto goto 35', 'ditto goto end',
    'ditto goto begin', 'ditto info', 'ditto waits', 'ditto writes Account.balance', 'ditto writes Account.used of this',
    'ditto break-write Account.balance 2', 'ditto break-write Account.balance', 'ditto break-write delete',
    'ditto freeruns 2', 'ditto jit', 'ditto jit Account.deposit', 'x/3i $pc', 'info registers rip',
    'set scheduler-locking on', 'set scheduler-locking off', 'set scheduler-locking step', 'set scheduler-locking replay',
    'run', 'start', 'print balance = 1', 'print getBalance()', 'jump 24', 'return', 'advance Account.remember', 'stepi 5',
    'reverse-stepi 7', 'next 2', 'continue 2', 'reverse-continue 2', 'watch i', 'frame 1', 'disassemble', 'info line', 'list',
    'info breakpoints', 'set trace-commands on', 'set trace-commands off', 'detach', "target ditto $trace");

my $pid = open2(my $from, my $to, "exec gdb -nx -q -x $plugin 2>&1");
my ($late, $said, @given) = (0, '');
local $SIG{ALRM} = sub { $late = 1; kill 'KILL', $pid };
local $SIG{PIPE} = 'IGNORE';

# Gives a command and takes the answer; undef: gdb is gone, or was too late.
sub ask {
    push @given, $_[0];
    alarm $enough;
    print $to "$_[0]\necho \\n=====\\n\n";
    $to->flush;
    my $answer = '';
    while (my $line = <$from>) {
        print "# $line" if $ENV{DITTO_SHOW};
        if ($line =~ /^=====$/) {
            alarm 0;
            return $answer;
        }
        $answer .= $line;
    }
    alarm 0;
    $said = $answer;
    return undef;
}

srand $seed;
my ($wrong, $slowest, $slow) = (undef, 0, '');
for my $word ('set confirm off', 'set height 0', "target ditto $trace", map { $words[rand @words] } 1 .. $count) {
    my $before = time;
    my $answer = ask($word);
    ($slowest, $slow) = (time - $before, $word) if time - $before > $slowest;
    $wrong = $late ? "no answer within $enough s" : 'gdb is gone' unless defined $answer;
    $wrong = 'gdb or the plugin has failed' if ($answer // '') =~ /internal-error|Python Exception|Traceback/;
    $wrong = 'the replay is lost' if ($answer // '') =~ /the replay is lost/;
    $said = $answer if $wrong && defined $answer;
    last if $wrong;
}
ok(!defined $wrong, "$count random commands, seed $seed: gdb and the stub live")
    or diag("$wrong; the last commands: ", join('; ', @given > 12 ? @given[-12 .. -1] : @given), "\n", substr $said, -3000);
diag(sprintf 'the slowest took %.1f s: %s', $slowest, $slow);
print $to "quit\n" unless $wrong;
close $to;
alarm $enough;
1 while <$from>;
waitpid $pid, 0;
alarm 0;
my $left = 1;
for (1 .. 100) {
    $left = grep { /\Q$work\E/ } `ps -eo args`;
    last if !$left;
    sleep 0.1;
}
is($left, 0, 'and nothing is left behind');
done_testing();
