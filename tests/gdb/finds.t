#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# The bugs of examples/java, found in gdb by going back from the symptom. Each example is recorded
# until it fails, and then a dialogue is led over the trace: twice, and the second time every answer
# must be the same, byte for byte.
#
#     finds.t DITTO [NAME...]
#
# By default a few of the examples; DITTO_ALL_EXAMPLES=1 takes all of them. DITTO_SHOW=1 shows what
# was said. DITTO_KEEP=DIRECTORY keeps the traces there, and takes those that are there already.
#
# A fresh recording is never the same, so a dialogue of finds/ says what must be found, not how it
# looks. Lines that begin with "(gdb) " are commands. The lines below one are regular expressions,
# which lines of gdb's answer must match, in this order; others may stand between them. What a group
# (?<name>...) has matched is put in for {name} in what follows, commands and expressions alike, as
# a user takes a number from the screen. A line "not EXPRESSION" must not match at all. The first
# lines of a dialogue:
#
#     # arguments ARGUMENT...   of the program
#     # fails PATTERN           what a failing run prints or, on stderr, what Ditto says of it
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use IPC::Open2 qw(open2);
use Test::More;

my $here = abs_path(dirname(__FILE__));
my ($ditto, @names) = @ARGV;
$ditto = abs_path($ditto // "$here/../../build/bin/ditto");
my @few = qw(AirlineTickets Booking LinkedList Loader Lottery Manager);
my $examples = abs_path("$here/../../examples/java");
my $plugin = abs_path("$here/../../gdb-plugin/ditto.py");
my $enough = $ENV{DITTO_ENOUGH} // 120;    # seconds for a dialogue

plan skip_all => 'gdb is not installed' if system('gdb --version >/dev/null 2>&1') != 0;
my $found = `here=$here/../jvm; set --; . $here/../jvm/jdk.sh; jdks`;
plan skip_all => $1 if $found =~ /^1\.\.0 # SKIP (.*)/;
my ($home) = split /\n/, $found;

my $work = $ENV{DITTO_KEEP} // tempdir(CLEANUP => 1);
chdir $work or die;
$ENV{DITTO} = $ditto;
$ENV{LC_ALL} = 'C.UTF-8';
$ENV{HOME} = $work;
delete $ENV{DEBUGINFOD_URLS};
delete $ENV{JAVA_TOOL_OPTIONS};
system("$home/bin/javac -g -nowarn -d classes $examples/*.java") == 0 or BAIL_OUT('the examples do not compile');

sub slurp {
    open my $in, '<', $_[0] or die "$_[0]: $!";
    local $/;
    return <$in>;
}

# The commands of a dialogue, each with its expressions.
sub read_dialogue {
    my ($head, @steps) = ({});
    for my $line (split /\n/, slurp($_[0])) {
        if ($line =~ /^\(gdb\) (.*)/) {
            push @steps, {command => $1, patterns => []};
        } elsif (!@steps) {
            $head->{$1} = $2 if $line =~ /^# (arguments|fails) (.*)/;
        } elsif ($line ne '') {
            push @{$steps[-1]{patterns}}, $line;
        }
    }
    return ($head, @steps);
}

sub filled {
    my ($text, $known, $quote) = @_;
    $text =~ s/\{([a-z]\w*)\}/my $value = $known->{$1} \/\/ ''; $quote ? quotemeta $value : $value/ge;
    return $text;
}

# Matches the answer against a step's expressions; returns the one that failed.
sub missing {
    my ($answer, $step, $known) = @_;
    my @lines = split /\n/, $answer;
    for my $text (@{$step->{patterns}}) {
        my ($not, $pattern) = $text =~ /^(not )?(.*)/;
        $pattern = filled($pattern, $known, 1);
        if ($not) {
            return $text if $answer =~ /$pattern/m;
            next;
        }
        my $good = 0;
        while (!$good && @lines) {
            next unless shift(@lines) =~ /$pattern/;
            $known->{$_} = $+{$_} for keys %+;
            $good = 1;
        }
        return "$text (that is $pattern)" unless $good;
    }
    return undef;
}

# gdb with the trace: gives commands one after the other, and takes the answers.
sub lead {
    my ($trace, $answered) = @_;
    my $pid = open2(my $from, my $to, "exec gdb -nx -q -x $plugin 2>&1");
    my $late = 0;
    local $SIG{ALRM} = sub { $late = 1; kill 'KILL', $pid };
    local $SIG{PIPE} = 'IGNORE';
    alarm $enough;
    my $ask = sub {
        print $to "$_[0]\necho \\n=====\\n\n";
        $to->flush;
        my $answer = '';
        while (my $line = <$from>) {
            return $answer if $line =~ /=====$/;
            $line =~ s/^(?:\(gdb[^)]*\) )+//;
            $answer .= $line;
        }
        return $answer . ($late ? "(no answer within $enough seconds)\n" : "(gdb is gone)\n");
    };
    $ask->($_) for 'set width 0', 'set height 0', 'set confirm off', "target ditto $trace";
    my $transcript = $answered->($ask);
    print $to "quit\n";
    close $to;
    1 while <$from>;
    waitpid $pid, 0;
    alarm 0;
    return $transcript;
}

# record NAME HEAD: whether a failing run is in NAME.dt
sub record {
    my ($name, $head) = @_;
    return 1 if $ENV{DITTO_KEEP} && -e "$name.dt";
    my $status = system("timeout 600 $ditto record --repeat 3000 -o $name.dt $home/bin/java -cp classes:$examples $name "
        . ($head->{arguments} // '') . " >$name.said 2>&1");
    my $said = slurp("$name.said");
    my ($failed) = $said =~ /ditto: (run \d+ failed \(.*?\))/;
    my $good = $status != 0 && $failed && $said =~ /$head->{fails}/m;
    diag($said =~ s/.*?((?:.*\n){0,15})\z/$1/sr) unless $good;
    ok($good, "$name is caught: " . ($failed // 'no run failed'));
    return $good;
}

my @all = map { basename($_, '.dialogue') } sort glob "$here/finds/*.dialogue";
@names = $ENV{DITTO_ALL_EXAMPLES} ? @all : @few unless @names;
for my $name (@names) {
    my ($head, @steps) = read_dialogue("$here/finds/$name.dialogue");
    record($name, $head) or next;
    my (%known, @commands, $missing);
    my $first = lead("$name.dt", sub {
        my ($ask) = @_;
        my $transcript = '';
        for my $step (@steps) {
            my $command = filled($step->{command}, \%known, 0);
            push @commands, $command;
            my $answer = $ask->($command);
            $transcript .= "(gdb) $command\n$answer";
            $missing = missing($answer, $step, \%known);
            last if defined $missing;
        }
        return $transcript;
    });
    ok(!defined $missing, "$name: the bug is found") or diag("missing: $missing\n$first");
    print map { "# $_\n" } split /\n/, $first if $ENV{DITTO_SHOW};
    my $second = lead("$name.dt", sub {
        my ($ask) = @_;
        return join '', map { "(gdb) $_\n" . $ask->($_) } @commands;
    });
    next if ok($first eq $second, "$name: and again, with the same words");
    for my $pair (["$name.first", $first], ["$name.second", $second]) {
        open my $out, '>', $pair->[0] or die;
        print $out $pair->[1];
        close $out;
    }
    diag(scalar `diff -u $name.first $name.second | head -40`);
}
my @documented = map { basename($_, '.java') } grep { !/Micro/ } sort glob "$examples/*.java";
is_deeply(\@all, \@documented, 'there is a dialogue for each example');
done_testing();
