#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# Dialogues with gdb: each file of a directory holds commands, on lines that begin with "(gdb) ", and
# what gdb answers to each. gdb gets the commands and must answer the same, byte for byte.
#
#     dialogues.t MACHINE COMMAND [NAME...]
#
# MACHINE is fake: COMMAND is then the stub over the toy JVM, a trace is a text for it, and the
# dialogues are in dialogues/. Or it is ditto: COMMAND is the ditto command, a trace is recorded with
# it, afresh each time, and the dialogues are in real/; their programs do all that is shown in the
# same order in every run. The first lines of a dialogue say how it is led:
#
#     # program CLASS [ARGUMENT...]   of java/ (default com.acme.Bank)
#     # mode plugin|plain|mi          (default plugin; plain has no plugin)
#     # sources jar                   they are in an archive (default: beside the classes); of a
#                                     recording, the classes are in another one beside it
#     # record OPTION...              for ditto record
#     # killed                        when the program has printed a line
#
# DITTO_ACCEPT=1 writes what gdb answered into the files, to be looked at before it is committed.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use Test::More;
use lib dirname(__FILE__);
use Batch;

my $here = abs_path(dirname(__FILE__));
my ($machine, $command, @names) = @ARGV;
plan skip_all => 'gdb is not installed' if system('gdb --version >/dev/null 2>&1') != 0;
plan skip_all => 'there is no javac' if system('javac -version >/dev/null 2>&1') != 0;
$command = abs_path($command);
my $plugin = abs_path("$here/../../gdb-plugin/ditto.py");
my $work = tempdir(CLEANUP => 1);
$ENV{DITTO} = $command;
$ENV{LC_ALL} = 'C.UTF-8';
$ENV{HOME} = $work;
delete $ENV{DEBUGINFOD_URLS};

# What is in deep/ is for recordings alone: the toy JVM has every class there is.
my @programs = ("$here/java/com/acme/*.java", $machine eq 'fake' ? () : "$here/java/com/acme/deep/*.java");
system("javac -g -nowarn -d $work/classes @programs") == 0 or BAIL_OUT('the programs do not compile');
if ($machine eq 'fake') {
    system("javac -g -nowarn --patch-module java.base=$here/jdk -d $work/jdk $here/jdk/java/util/*.java 2>$work/log") == 0
        or BAIL_OUT('the toy JDK does not compile');
}

sub slurp {
    open my $in, '<:raw', $_[0] or die "$_[0]: $!";
    local $/;
    return <$in>;
}

sub spew {
    open my $out, '>:raw', $_[0] or die "$_[0]: $!";
    print $out $_[1];
    close $out;
}

# Records the program until it has printed a line and nothing happens any more, and kills the JVM.
sub record_and_kill {
    my ($line, $trace) = @_;
    my $pid = open2(my $from, my $to, "cd $work && exec $line 2>&1");
    my $said = <$from> // '';
    my ($now, $before) = ('', 'nothing');
    for (1 .. 100) {
        last if $now eq $before;
        $before = $now;
        select undef, undef, undef, 0.3;
        $now = `$command check $trace 2>&1`;
    }
    my @children = split ' ', slurp("/proc/$pid/task/$pid/children");
    kill 'KILL', @children ? @children : $pid;
    close $to;
    waitpid $pid, 0;
}

# A trace of the program, for the machine.
sub make_trace {
    my ($name, $program, $sources, $head) = @_;
    my $trace = "$work/$name.dt";
    if ($machine eq 'fake') {
        (my $class = $program) =~ tr{.}{/};
        spew($trace, "classes $work/classes\nclasses $work/jdk\nsources $sources\nmain $class\n");
    } else {
        my $path = "$work/classes:$here/java";
        if ($head->{sources}) {
            $path = "$work/app.jar";
            system("cd $work/classes && jar cf $path com && mv $sources $work/app-sources.jar");
        }
        my $line = "$command record @{[$head->{record} // '']} -o $trace java -cp $path $program";
        if ($head->{killed}) {
            record_and_kill($line, $trace);
        } else {
            my $status = system("cd $work && $line >$work/said 2>&1");
            diag("$program was not recorded: " . slurp("$work/said")) if $status != 0 && !$head->{record};
        }
    }
    return $trace;
}

# gdb's answers on the command line, each behind its command.
sub lead {
    my ($trace, $mode, @commands) = @_;
    my @arguments = $mode eq 'plugin' ? ('-x', $plugin) : ('-ex', 'set remotetimeout 60');
    for my $text (@commands) {
        (my $real = $text) =~ s/TRACE/$trace/g;
        $real =~ s/STUB/$command stub/g;
        (my $echo = $text) =~ s/([\\"])/\\$1/g;
        push @arguments, '-ex', "echo (gdb) $echo\\n", '-ex', $real;
    }
    return batch(@arguments);
}

# The same as an IDE speaks it: a command, then all until gdb is ready, or has stopped again.
sub lead_mi {
    my ($trace, @commands) = @_;
    my $pid = open2(my $from, my $to, "exec gdb -nx -q -i=mi3 -x $plugin 2>&1");
    my $answer = '';
    local $SIG{ALRM} = sub { kill 'KILL', $pid };
    alarm 60;
    while (my $line = <$from>) {
        last if $line =~ /^\(gdb\)/;
    }
    for my $text (@commands) {
        (my $real = $text) =~ s/TRACE/$trace/g;
        $answer .= "(gdb) $text\n";
        print $to "$real\n";
        $to->flush;
        my ($moves, $stopped, $ready) = (0, 0, 0);
        while (my $line = <$from>) {
            $moves = 1 if $line =~ /^\^running/;
            $stopped = 1 if $line =~ /^\*stopped/;
            $ready = 1 if $line =~ /^\(gdb\)/ && (!$moves || $stopped);
            $answer .= $line unless $line =~ /^\(gdb\)/;
            last if $ready;
        }
    }
    print $to "-gdb-exit\n";
    close $to;
    waitpid $pid, 0;
    alarm 0;
    return $answer;
}

# Paths of this run are not part of the answer.
sub clean {
    my ($answer) = @_;
    $answer =~ s/\Q$here\E/HERE/g;
    $answer =~ s/\Q$command\E/COMMAND/g;
    $answer =~ s/\Q$work\E/WORK/g;
    $answer =~ s{/tmp/ditto-\w+}{DIRECTORY}g;
    return $answer;
}

my $set = $machine eq 'fake' ? 'dialogues' : 'real';
for my $file (sort glob "$here/$set/*.dialogue") {
    my $name = basename($file, '.dialogue');
    next if @names && !grep { $_ eq $name } @names;
    my $expected = slurp($file);
    my ($head) = $expected =~ /\A((?:#.*\n)*)/;
    my %head = $head =~ /^# (program|mode|sources|record) (.+)$/mg;
    $head{killed} = 1 if $head =~ /^# killed$/m;
    my $sources = "$here/java";
    if ($head{sources}) {
        $sources = "$work/sources.jar";
        system("cd $here/java && jar cf $sources com");
    }
    my @commands = $expected =~ /^\(gdb\) (.*)$/mg;
    my $trace = make_trace($name, $head{program} // 'com.acme.Bank', $sources, \%head);
    my $mode = $head{mode} // 'plugin';
    my $answer = clean($mode eq 'mi' ? lead_mi($trace, @commands) : lead($trace, $mode, @commands));
    my $good = ok("$head$answer" eq $expected, "$name: gdb answers as expected");
    next if $good;
    if ($ENV{DITTO_ACCEPT}) {
        spew($file, "$head$answer");
        next;
    }
    spew("$work/got", "$head$answer");
    diag(scalar `diff -u $file $work/got | head -60`);
}
# Nothing is left behind: every stub has gone with its gdb.
sleep 1;
is(scalar(grep { /\Q$work\E/ } `ps -eo args`), 0, 'no process is left behind');
done_testing();
