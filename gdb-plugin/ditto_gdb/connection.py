# SPDX-License-Identifier: MIT
"""`target ditto`: starts the stub, hands gdb its symbols, and keeps what gdb shows up to date."""
import os
import re
import shutil
import subprocess
import tempfile
import time
import zipfile

import gdb

# gdb sets these for good; what they were comes back when the trace is closed.
SETTINGS = {
    # What happened cannot be changed: gdb says so before it tries.
    'may-write-memory': 'off',
    'may-write-registers': 'off',
    'may-call-functions': 'off',
    # Java variables have the type that they were declared with; objects know better.
    'print object': 'on',
    # A replay JVM may take its time to start.
    'remotetimeout': '3600',
    # The symbols come from the same stub as everything else.
    'exec-file-mismatch': 'off',
}


class Connection:
    """The stub, its directory, and what was changed in gdb for it. One at a time."""

    def __init__(self):
        self.plugin = None
        self.process = None
        self.directory = None
        self.socket = None
        self.before = {}
        self.clock = None
        self.last = None
        self.stale = False
        self.listing = False

    # -- the stub ------------------------------------------------------------

    def command(self):
        """The ditto command: $DITTO, else beside the plugin, else on the PATH."""
        given = os.environ.get('DITTO')
        if given:
            return given
        for path in ('../build/bin/ditto', '../../bin/ditto', '../../../bin/ditto'):
            path = os.path.normpath(os.path.join(self.plugin, path))
            if os.access(path, os.X_OK):
                return path
        found = shutil.which('ditto')
        if not found:
            raise gdb.GdbError("ditto: the command 'ditto' is not on the PATH; set $DITTO to its path")
        return found

    def start(self, trace):
        self.directory = tempfile.mkdtemp(prefix='ditto-')
        self.socket = os.path.join(self.directory, 'socket')
        symbols = os.path.join(self.directory, os.path.basename(trace) + '.elf')
        log = os.path.join(self.directory, 'log')
        arguments = [self.command(), 'stub', '--listen', self.socket, '--symbols', symbols,
                     '--with-parent', trace]
        try:
            with open(log, 'wb') as out:
                self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out,
                                                stderr=out, start_new_session=True)
        except OSError as error:
            raise gdb.GdbError('ditto: cannot run %s: %s; set $DITTO to the ditto command'
                               % (arguments[0], error.strerror))
        while not os.path.exists(symbols):
            if self.process.poll() is not None:
                with open(log, encoding='utf-8', errors='replace') as said:
                    text = said.read().strip()
                raise gdb.GdbError(text or 'ditto: the stub ended with status %d; run `%s` to see why'
                                   % (self.process.returncode, ' '.join(arguments)))
            time.sleep(0.005)
        return symbols

    def stop(self):
        """Ends the stub and forgets it. The stub takes its JVMs with it."""
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)
        self.directory = self.socket = self.clock = self.last = None
        self.stale = False
        for name, value in self.before.items():
            silently('set %s %s' % (name, value))
        self.before = {}

    # -- gdb -----------------------------------------------------------------

    def open(self, trace):
        if self.process:
            if self.is_open():
                quietly('disconnect')
            self.stop()
        try:
            symbols = self.start(trace)
            for name, value in SETTINGS.items():
                self.before[name] = setting(name)
                silently('set %s %s' % (name, value))
            quietly('file ' + quoted(symbols))
            silently('directory ' + quoted(os.path.dirname(trace)))
            silently('target extended-remote ' + self.socket)
            for path in self.source_paths():
                silently('directory ' + quoted(path))
            if os.isatty(1):
                self.ask('progress on')
            self.ask('pieces on')
            self.last = int(re.match(r'clock \d+ of (\d+)', self.ask('position')).group(1))
            self.read_clock()
        except BaseException:
            if self.is_open():
                quietly('disconnect')
            self.stop()
            raise

    def is_open(self):
        """Whether the current inferior is a trace of ours."""
        try:
            connection = gdb.selected_inferior().connection
        except gdb.error:
            return False
        return bool(self.socket and connection and connection.details == self.socket)

    def ask(self, question):
        """The answer of a monitor command; an error if it was refused."""
        if not self.is_open():
            raise gdb.GdbError('ditto: no trace is open; open one with `target ditto TRACE`')
        answer = silently('monitor ' + question)
        if answer.startswith('ditto: '):
            raise gdb.GdbError(answer.strip())
        return answer

    def ask_long(self, question):
        """The same of one that may take long: tells how far it is, and Ctrl-C stops it."""
        began = time.monotonic()
        try:
            answer = self.ask(question)
            while answer.startswith('more: '):
                if os.isatty(1):
                    gdb.write('ditto: %s after %.1f s; Ctrl-C stops it\n'
                              % (answer[len('more: '):].strip(), time.monotonic() - began))
                    gdb.flush()
                answer = self.ask('more')
            return answer
        except KeyboardInterrupt:
            self.ask('stop')
            raise gdb.GdbError('ditto: stopped')

    def read_clock(self):
        self.clock = int(gdb.newest_frame().read_register('clock'))
        gdb.set_convenience_variable('_ditto_clock', self.clock)

    def stopped(self, event):
        """After each stop: registers of threads that did not run may have changed, too.

        Whatever Python has gdb execute, the commands of the breakpoints that were hit are executed
        right behind it, and if they resume the run nobody may talk to the stub here: then that
        waits for the prompt."""
        if not self.is_open():
            return
        self.read_clock()
        self.tell_exception()
        self.stale = True
        if not any(breakpoint.commands for breakpoint in getattr(event, 'breakpoints', ())):
            self.refresh()

    def tell_exception(self):
        """What a thread that is about to throw throws; $_exception as in C++."""
        frame = gdb.newest_frame()
        if frame.name() != '__cxa_throw':
            gdb.set_convenience_variable('_exception', None)
            return
        throwable = gdb.lookup_type('java::lang::Throwable').pointer()
        try:
            thrown = frame.read_register('rax').cast(throwable)
            gdb.write('Throws %s\n' % thrown.format_string())
        except gdb.error:
            return  # it is not known
        gdb.set_convenience_variable('_exception', thrown)

    def list_threads(self):
        """Has gdb ask for all threads: it numbers them as it meets them, and after `run` that would
        be in the order in which they stop."""
        if self.last is None or self.listing or not self.is_open():
            return
        self.listing = True
        try:
            gdb.selected_inferior().threads()
        finally:
            self.listing = False

    def refresh(self):
        if self.stale and self.is_open():
            silently('maintenance flush register-cache')
            self.stale = False

    # -- sources ---------------------------------------------------------------

    def source_paths(self):
        """Directories to look in; of archives, what was taken out of them."""
        paths = []
        for number, path in enumerate(self.ask('sources').splitlines()):
            if os.path.isdir(path):
                paths.append(path)
            elif zipfile.is_zipfile(path):
                place = os.path.join(self.directory, 'sources-%d' % number)
                if unpack_sources(path, place):
                    paths.append(place)
        # gdb puts the last that it was given first.
        return reversed(paths)


def unpack_sources(archive, place, most=256 << 20):
    """Takes the .java files out of an archive, up to `most` bytes. Whether there were any. They are
    as old as the archive: gdb warns of sources that are more recent than the symbols."""
    left = most
    found = False
    try:
        changed = os.stat(archive).st_mtime
        with zipfile.ZipFile(archive) as source:
            for entry in source.infolist():
                if entry.filename.endswith('.java') and entry.file_size <= left:
                    os.utime(source.extract(entry, place), (changed, changed))
                    left -= entry.file_size
                    found = True
    except (OSError, zipfile.BadZipFile, RuntimeError) as error:
        gdb.write('ditto: warning: no sources from %s: %s\n' % (archive, error))
    return found


def silently(command):
    """What a command of gdb's says, without the command itself, which gdb may echo."""
    echoes = gdb.parameter('trace-commands')
    if echoes:
        gdb.execute('set trace-commands off', False, True)
    try:
        return gdb.execute(command, False, True)
    finally:
        if echoes:
            gdb.execute('set trace-commands on', False, True)


def quietly(command):
    """A command of gdb's, without questions and without output."""
    confirm = setting('confirm')
    silently('set confirm off')
    try:
        return silently(command)
    finally:
        silently('set confirm ' + confirm)


def setting(name):
    value = gdb.parameter(name)
    if value is True or value is False:
        return 'on' if value else 'off'
    return 'unlimited' if value is None else str(value)


def quoted(path):
    return '"%s"' % path.replace('\\', '\\\\').replace('"', '\\"')


connection = Connection()


class TargetDitto(gdb.Command):
    """Open a recorded run of a Java program.
Usage: target ditto TRACE

TRACE is a file that `ditto record` made. The run is shown from its beginning; all of
gdb's commands work forwards, and the reverse- ones backwards. `help ditto` lists what
Ditto adds, for example `ditto goto end`."""

    def __init__(self):
        super().__init__('target ditto', gdb.COMMAND_RUNNING, gdb.COMPLETE_FILENAME)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 1:
            raise gdb.GdbError('ditto: which trace? Say `target ditto TRACE`')
        trace = os.path.abspath(os.path.expanduser(words[0]))
        if not os.path.exists(trace):
            raise gdb.GdbError('ditto: %s: there is no such file' % words[0])
        try:
            connection.open(trace)
        except gdb.error as error:
            raise gdb.GdbError('ditto: %s: %s' % (words[0], error))


class Prompt:
    """Says where in time one is, unless that is the end."""
    mark = '(gdb, in the past: '

    def __init__(self, before):
        self.before = before
        self.plain = None

    def __call__(self, current):
        # gdb keeps what it was given last as its prompt.
        if self.plain is None or not current.startswith(self.mark):
            self.plain = current
        plain = self.before(self.plain) if self.before else None
        plain = self.plain if plain is None else plain
        try:
            there = connection.clock is not None and connection.is_open()
        except gdb.error:
            there = False
        if not there or connection.clock >= connection.last:
            return plain
        return '%sclock %d of %d) ' % (self.mark, connection.clock, connection.last)


def on_stop(event):
    try:
        connection.stopped(event)
    except gdb.error:
        pass


def on_new_thread(event):
    try:
        connection.list_threads()
    except gdb.error:
        pass


def on_prompt():
    try:
        connection.refresh()
    except gdb.error:
        pass


def on_exit(event):
    # gdb still has to take leave of the stub, which ends by itself then.
    if connection.directory:
        shutil.rmtree(connection.directory, ignore_errors=True)


def load(directory):
    connection.plugin = directory
    gdb.prompt_hook = Prompt(gdb.prompt_hook)
    gdb.events.stop.connect(on_stop)
    gdb.events.new_thread.connect(on_new_thread)
    gdb.events.before_prompt.connect(on_prompt)
    gdb.events.gdb_exiting.connect(on_exit)
    TargetDitto()
