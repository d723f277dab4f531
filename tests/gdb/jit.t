#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# `ditto jit`: the machine code of a method in a replay JVM. What HotSpot makes of it is its own
# business; that it is the method's code, whole, and with its lines beside it, is checked.
#
#     jit.t DITTO
use strict;
use warnings;
no warnings 'portable';    # addresses have 64 bits
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use Test::More;
use lib dirname(__FILE__);
use Batch;

my $here = abs_path(dirname(__FILE__));
my $ditto = abs_path($ARGV[0] // "$here/../../build/bin/ditto");
my $plugin = abs_path("$here/../../gdb-plugin/ditto.py");
plan skip_all => 'gdb is not installed' if system('gdb --version >/dev/null 2>&1') != 0;
plan skip_all => 'there is no javac' if system('javac -version >/dev/null 2>&1') != 0;
my $work = tempdir(CLEANUP => 1);
$ENV{DITTO} = $ditto;
$ENV{HOME} = $work;
delete $ENV{DEBUGINFOD_URLS};
delete $ENV{JAVA_TOOL_OPTIONS};
chdir $work or die;

system("javac -g -d classes $here/java/Race.java") == 0 or BAIL_OUT('the program does not compile');
# What is compiled, and when, is up to HotSpot, unless it is told to compile before the first call.
system("$ditto record -o trace.dt java -Xcomp -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,Race.work "
    . "-cp classes:$here/java Race 20 >said 2>&1") == 0 or BAIL_OUT('the program is not recorded');

sub gdb {
    return batch('-x', $plugin, '-ex', "target ditto $work/trace.dt", map { ('-ex', $_) } @_);
}

my $answer = gdb('ditto jit Race.work', 'ditto goto end', 'ditto jit Race.work', 'echo intel\n',
    'set disassembly-flavor intel', 'ditto jit Race.work', 'echo main\n', 'ditto jit Race.main');
my ($before, $code, $intel, $main) = $answer =~ /\A(.*)^Race\.work\S*: \d+ bytes(.*)^intel$(.*)^main$(.*)\z/ms;
BAIL_OUT("gdb said: $answer") unless defined $main;
like($before, qr/^ditto: Race\.work\S+ is interpreted here: .*`ditto goto end`/m,
    'what is not compiled yet is told, with a remedy');
like($main, qr/^ditto: Race\.main\S+ is interpreted to the end of this run: .*-Xcomp/m, 'and what never is');

# The lines of the method, and no others, as they are in the source.
open my $in, '<', "$here/java/Race.java" or die;
chomp(my @source = <$in>);
my %lines = $code =~ /^Race\.java:(\d+)\t(.*)$/mg;
cmp_ok(scalar(keys %lines), '>=', 4, 'lines are shown beside the code');
my ($first) = grep { $source[$_ - 1] =~ /static void work/ } 1 .. @source;
my ($last) = grep { $source[$_ - 1] eq '    }' && $_ > $first } 1 .. @source;
is_deeply([grep { $_ <= $first || $_ > $last } keys %lines], [], 'they are the method\'s');
is_deeply([grep { $lines{$_} ne $source[$_ - 1] } keys %lines], [], 'and read as in the source');

# Instructions that follow each other from the first byte on.
my ($size) = $answer =~ /^Race\.work\S*: (\d+) bytes of machine code/m;
my @places = $code =~ /^   0x([0-9a-f]{16}) <\+(\d+)>:\t\S/mg;
my ($base, $at, $good) = (hex $places[0], -1, 1);
while (my ($address, $offset) = splice @places, 0, 2) {
    $good &&= hex($address) == $base + $offset && $offset > $at && $offset - ($at < 0 ? 0 : $at) <= 15;
    $at = $offset;
}
ok($good && $at < $size && $at >= $size - 15, "$size bytes are disassembled, without a gap");
SKIP: {
    skip('for x86 alone', 3) if `uname -m` !~ /x86_64/;
    like($code, qr/<\+\d+>:\tpushq? %rbp\n/, 'a frame is made');
    like($code, qr/<\+\d+>:\tcallq? /, 'hooks are called');
    like($intel, qr/<\+\d+>:\tmov \w+, qword ptr \[/, 'gdb\'s flavor is heeded');
}
done_testing();
