#!/usr/bin/env perl
# SPDX-License-Identifier: MIT
# The ditto command as a user meets it: what it prints, what it refuses, and its exit statuses.
# Called with the paths of the command and of the program that makes traces (make_corpus).
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

my ($ditto, $make_corpus) = @ARGV;
my $dir = tempdir(CLEANUP => 1);
system($make_corpus, $dir, 'all') == 0 or BAIL_OUT("cannot make traces");
my ($sealed, $open) = ("$dir/sealed.dt", "$dir/open.dt");

# Runs ditto; returns exit status, stdout and stderr.
sub ditto {
    my @arguments = @_;
    my $pid = fork // die;
    if (!$pid) {
        open STDOUT, '>', "$dir/out" or die;
        open STDERR, '>', "$dir/err" or die;
        exec $ditto, @arguments or exit 127;
    }
    waitpid $pid, 0;
    my $status = $? & 127 ? -($? & 127) : $? >> 8;
    return ($status, map { local (@ARGV, $/) = $_; scalar <> // '' } "$dir/out", "$dir/err");
}

sub succeeds {
    my ($name, $pattern, @arguments) = @_;
    my ($status, $out, $err) = ditto(@arguments);
    is($status, 0, "$name: status") or diag($err);
    is($err, '', "$name: nothing on stderr");
    like($out, $pattern, "$name: output");
    return $out;
}

sub refuses {
    my ($name, $pattern, @arguments) = @_;
    my ($status, $out, $err) = ditto(@arguments);
    is($status, 2, "$name: status");
    like($err, $pattern, "$name: $err");
    my @foreign = grep { !/^ditto: / } split /\n/, $err;
    is("@foreign", '', "$name: every line begins with 'ditto: '");
}

succeeds('version', qr/^ditto \d+\.\d+\.\d+\n$/, '--version');
succeeds('help', qr/ditto dump/, 'help');
succeeds('--help', qr/ditto dump/, '--help');
succeeds("help $_", qr/^ditto $_ .*Exit status|^ditto help/s, 'help', $_)
    for qw(info dump check help);
succeeds('dump --help', qr/--events RANGE/, 'dump', '--help');

refuses('no command', qr/'ditto help' lists/);
refuses('unknown command', qr/no command 'frobnicate'; 'ditto help' lists/, 'frobnicate');
refuses('a typing mistake', qr/no command 'dmup'; did you mean 'ditto dump'\?/, 'dmup', $sealed);
refuses('help for a typing mistake', qr/did you mean 'ditto check'/, 'help', 'chekc');
refuses('unknown option', qr/no option '--jsno'; did you mean '--json'\?/, 'info', '--jsno', $sealed);
refuses('unknown option, no hint', qr/no option '--colour'; 'ditto help check'/, 'check', '--colour', $sealed);
refuses('option before the command', qr/no option '--json'/, '--json', 'info');
refuses('no trace', qr/which trace\? Say 'ditto info TRACE'/, 'info');
refuses('two traces', qr/one trace at a time/, 'check', $sealed, $open);
refuses('missing value', qr/'--thread' needs a value/, 'dump', $sealed, '--thread');
refuses('superfluous value', qr/'--json' takes no value/, 'dump', '--json=yes', $sealed);
refuses('no such thread', qr/no thread '77'; it has 4/, 'dump', '--thread', 77, $sealed);
refuses('a thread that is no number', qr/no thread 'main'/, 'dump', '--thread', 'main', $sealed);
refuses('no such stream', qr/no stream 'meta'; use memory, sync or value/, 'dump', '--stream=meta', $sealed);
refuses("range '$_'", qr/no range of events; use N, N- or N-M/, 'dump', "--events=$_", $sealed)
    for '0', 'x', '5-3', '-5', '1-2-3', '99999999999999999999999999999999999999999';
refuses("missing file, $_", qr/missing.dt: cannot open .*check the path/, $_, "$dir/missing.dt")
    for qw(info dump check);
refuses("missing file, $_", qr/missing.dt: cannot open .*check the path/, $_, "$dir/missing.dt")
    for qw(replay gdb stub);
my @readers = qw(info dump check replay gdb stub);
refuses('an unknown order', qr/\Aditto: record: there is no order 'nosuch'; see 'ditto help record'\n\z/,
    'record', '--order', 'nosuch', 'java', 'Main');
refuses('an option of an order with a wrong word', qr/\Aditto: record: option '--pruning' cannot be 'some'; see 'ditto help record'\n\z/,
    'record', '--order', 'ditto', '--pruning', 'some', 'java', 'Main');
refuses('an option of an order that is no number', qr/\Aditto: record: option '--array-states' needs a number from 1 to \d+, not 'few'\n\z/,
    'record', '--array-states', 'few', 'java', 'Main');
refuses("not a trace, $_", qr/\A.*not a Ditto trace: .*name a file that Ditto has recorded\n\z/, $_, $0)
    for @readers;
refuses("a directory, $_", qr/\A.*not a Ditto trace: it is not a regular file; name .*\n\z/, $_, $dir)
    for @readers;
refuses("native, $_", qr/\A.*not a recording of a Java program; run the program that made it\n\z/, $_, $sealed)
    for qw(replay gdb stub);

refuses("a recording by an agent of another format: $_->[0]",
    qr/old\.dt: recorded by another Ditto, whose agent .*\(format 0, this one has \d+\); .*record it again\n\z/, @$_, "$dir/old.dt")
    for ['replay'], ['gdb'], ['stub'];
my $info = succeeds('info', qr/^trace +\Q$sealed\E\n.*^ended +in good order\n.*worker-3\n/ms, 'info', $sealed);
like($info, qr/^order +ditto$/m, 'info: the order');
like($info, qr/^pruning +none$/m, 'info: the pruning');
like($info, qr/^density +[\d.]+ bytes an event, [\d.]+ bytes a constraint$/m, 'info: the density');
succeeds('info of an open trace', qr/^ended +abruptly: .*killed.*alive/ms, 'info', $open);
succeeds('check', qr/^\Q$sealed\E: sound: 4 threads, \d+ events, \d+ constraints; ended in good order$/,
    'check', $sealed);
succeeds('check of an open trace', qr/sound.*ended abruptly: /, 'check', $open);

my $json = decode_json((ditto('info', '--json', $sealed))[1]);
is($json->{ending}, 'closed', 'info --json: the ending');
is(scalar @{$json->{threads}}, 4, 'info --json: the threads');
is($json->{properties}{order}, 'ditto', 'info --json: the properties');
is($json->{threads}[2]{parent}, 0, 'info --json: a parent');

my $dump = succeeds('dump', qr/^thread 0 \(main\), at clock 0, ended at clock \d+$/m, 'dump', $sealed);
like($dump, qr/^thread 1 \(worker-1\), started by thread 0 at clock \d+, ended at clock \d+$/m, 'dump: a thread');
like($dump, qr/^ +1  (load|store) after store_clock \d+/m, 'dump: a memory constraint');
like($dump, qr/^ +\d+  acquire after sync_clock \d+$/m, 'dump: a sync constraint');
like($dump, qr/^ +1  kind 1, 14 bytes: 61 6e 20 69 6e/m, 'dump: a value');
like($dump, qr/^total, 4 threads\n  memory: 3600 events, 3600 constraints/m, 'dump: totals');

$json = decode_json((ditto('dump', '--json', $sealed))[1]);
is($json->{order}, 'ditto', 'dump --json: the order');
is($json->{totals}{memory}{events}, 3600, 'dump --json: totals');
my $memory = $json->{threads}[1]{memory};
is(scalar @{$memory->{items}}, $memory->{counts}{constraints}, 'dump --json: an item for each constraint');
is($memory->{items}[4]{event}, 5, 'dump --json: events are counted');
is($json->{threads}[0]{value}{items}[0]{bytes}, unpack('H*', "an input line\0"), 'dump --json: values whole');

my ($status, $part) = ditto('dump', '--thread', 1, '--stream', 'memory', '--events', '10-12', $sealed);
is(() = $part =~ /^ +\d+  (?:load|store) after/mg, 3, 'dump: a range of events');
unlike($part, qr/^thread 0|acquire after/m, 'dump: of one thread and stream');

# Free runs, in a pruned trace.
mkdir "$dir/pruned" and system($make_corpus, "$dir/pruned") == 0 or BAIL_OUT("cannot make traces");
my $runs = succeeds('dump of a pruned trace', qr/free run of \d+/, 'dump', "$dir/pruned/sealed.dt");
$json = decode_json((ditto('dump', '--json', "$dir/pruned/sealed.dt"))[1]);
for my $thread (@{$json->{threads}}) {
    my ($next, $good) = (1, 1);
    for my $item (@{$thread->{memory}{items}}) {
        $good &&= $item->{event} == $next;
        $next += $item->{free_run} // 1;
    }
    ok($good && $next - 1 == $thread->{memory}{counts}{events},
        "dump --json: runs and constraints of thread $thread->{replay_id} make up its events");
}

# Damage: what can be read is shown, and the status says that it is not all.
{
    local (@ARGV, $/) = $sealed;
    my $bytes = <>;
    open my $out, '>:raw', "$dir/cut.dt" or die;
    print $out substr $bytes, 0, length($bytes) - 100;
    close $out;
    # The first chunk has the metadata, and the order in it.
    my $headless = $bytes;
    substr($headless, 64 + 40 + 2, 1) ^= "\x01";
    open $out, '>:raw', "$dir/headless.dt" or die;
    print $out $headless;
    close $out;
    my $newer = $bytes;
    substr($newer, 8, 4) = pack 'V', 2;
    open $out, '>:raw', "$dir/newer.dt" or die;
    print $out $newer;
    close $out;
    substr($bytes, length($bytes) - 20, 1) ^= "\x01";
    open $out, '>:raw', "$dir/flipped.dt" or die;
    print $out $bytes;
    close $out;
}
my $again = qr/; get the file again$/m;
refuses("$_ of a truncated trace", qr/cut short: it has \d+ of \d+ bytes$again/, $_, "$dir/cut.dt")
    for @readers;
refuses("$_ of a trace without its head", qr/\A.*metadata, chunk 0 .*\(wrong checksum\)$again\n\z/, $_, "$dir/headless.dt")
    for @readers;
refuses("$_ of a newer trace", qr/\A.*written by a newer Ditto .*use that Ditto to read it\n\z/, $_, "$dir/newer.dt")
    for @readers;
refuses("$_ of a damaged trace", qr/wrong checksum.*get the file again/, $_, "$dir/flipped.dt")
    for qw(info dump check);

# A trace is somebody's document: nothing in it may reach the terminal as a command.
unlike($info . $dump, qr/[\x00-\x08\x0b-\x1f\x7f]/, 'no control characters in the output');

# Output that cannot be written is an error.
SKIP: {
    skip 'no /dev/full here', 1 if !-e '/dev/full';
    is(system("$ditto dump $sealed > /dev/full 2> $dir/err") >> 8, 2, 'a full disk behind stdout');
}

done_testing();
