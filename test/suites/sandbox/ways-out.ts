import type { Kind } from './project.ts';

/** A way out of the sandbox that the operating system refuses. */
export interface WayOut {
  /** After "cannot". */
  readonly way: string;
  /** Python. The variables are those of `Places`, in upper case. */
  readonly script: string;
  /** Names of errors, one of which the system gives. */
  readonly refused: readonly string[];
  /** It changes nothing that the next test needs, so that it is shown to succeed without a sandbox. */
  readonly succeedsPlain?: true;
  /** @default all */
  readonly kinds?: readonly Kind[];
}

const attempt = (expression: string): string => `attempt(lambda: ${expression})`;
const write = (place: string): string => attempt(`open(${place}, "a").write("x")`);
const read = (place: string): string => attempt(`open(${place}).read()`);

/** A mount, or an account without rights. */
const readOnly = ['EROFS', 'EACCES'] as const;
const forbidden = ['EPERM', 'EACCES'] as const;

export const waysOut: readonly WayOut[] = [
  // Reading.
  { way: 'read a file beside the root', script: read('"../outside.txt"'), refused: ['ENOENT'], succeedsPlain: true },
  { way: 'read it by its absolute path', script: read('OUTSIDE + "/outside.txt"'), refused: ['ENOENT'], succeedsPlain: true },
  {
    way: 'read it through a link that it makes in the root',
    script: `os.path.lexists("way") or os.symlink(OUTSIDE + "/outside.txt", "way")\n${read('"way"')}`,
    refused: ['ENOENT'],
    succeedsPlain: true,
  },
  {
    way: 'read a file in the temporary folder of the host',
    script: read('OUTSIDE + "/shared-tmp/../outside.txt"'),
    refused: ['ENOENT'],
    succeedsPlain: true,
  },
  { way: 'read a key in the home folder', script: read('HOME + "/.ssh/id_ed25519"'), refused: ['ENOENT'], succeedsPlain: true },
  {
    way: 'read the key in the state folder',
    script: read('HOME + "/.local/state/toolkit/host.key"'),
    refused: ['ENOENT'],
    succeedsPlain: true,
  },
  { way: 'read the cache of the service', script: read('HOME + "/.cache/toolkit/kept.json"'), refused: ['ENOENT'], succeedsPlain: true },
  { way: 'read a dotenv file', script: read('".env"'), refused: ['EACCES'], succeedsPlain: true },
  { way: 'read a dotenv file deeper in the root', script: read('"service/.env"'), refused: ['EACCES'], succeedsPlain: true },
  { way: 'read a dotenv file by a hard link that was there', script: read('"notes.txt"'), refused: ['EACCES'], succeedsPlain: true },
  { way: 'read a dotenv file by a symbolic link that was there', script: read('"settings"'), refused: ['EACCES'], succeedsPlain: true },
  { way: 'make a hard link to a dotenv file', script: attempt('os.link(".env", "copied")'), refused: ['EXDEV', ...forbidden] },
  { way: 'make a dotenv file readable', script: attempt('os.chmod(".env", 0o777)'), refused: readOnly },
  { way: 'move a dotenv file', script: attempt('os.rename(".env", "moved")'), refused: ['EBUSY', 'EXDEV'] },
  { way: 'move the folder of a dotenv file', script: attempt('os.rename("service", "moved")'), refused: ['EBUSY', 'EXDEV'] },
  {
    way: 'put a folder in place of that of a dotenv file',
    script: `os.makedirs("other", exist_ok=True)\n${attempt('exchange("other", "service")')}`,
    refused: ['EBUSY', 'EXDEV', 'ENOTEMPTY'],
  },
  { way: 'list the quarantine', script: attempt('os.listdir(".toolkit/quarantine")'), refused: ['EACCES', 'ENOENT'] },
  { way: 'read what only some accounts of the system may', script: read('"/etc/shadow"'), refused: ['EACCES'] },
  { way: 'read the memory of the machine', script: read('"/dev/mem"'), refused: ['ENOENT'] },
  { way: 'read the kernel memory', script: attempt('open("/proc/kcore", "rb").read(1)'), refused: ['ENOENT', ...forbidden] },

  // Writing.
  { way: 'write to the system', script: write('"/etc/toolkit-sandbox"'), refused: readOnly },
  { way: 'put a program among those of the system', script: write('"/usr/bin/toolkit-sandbox"'), refused: readOnly },
  { way: 'put a program into a folder of the PATH', script: write('PROGRAMS + "/git"'), refused: readOnly, succeedsPlain: true },
  { way: 'change a program of the PATH', script: write('PROGRAMS + "/hello"'), refused: readOnly, succeedsPlain: true },
  { way: 'change bubblewrap', script: attempt('open(BWRAP, "r+b")'), refused: [...readOnly, 'ETXTBSY'] },
  { way: 'change a definition', script: write('"tools/probe_command.yaml"'), refused: readOnly },
  { way: 'change the code of a tool', script: write('"tools/probe.py"'), refused: readOnly },
  { way: 'add a definition', script: write('"tools/evil.yaml"'), refused: readOnly },
  { way: 'remove a definition', script: attempt('os.remove("tools/probe_git.yaml")'), refused: ['EROFS', 'EBUSY'] },
  { way: 'move the folder of definitions', script: attempt('os.rename("tools", "old")'), refused: ['EBUSY', 'EXDEV'] },
  { way: 'change what git runs', script: write('".git/hooks/pre-commit"'), refused: readOnly },
  { way: 'change the settings of git', script: write('".git/config"'), refused: readOnly },
  { way: 'move the repository', script: attempt('os.rename(".git", "old")'), refused: ['EBUSY', 'EXDEV'] },
  { way: 'change an installed package', script: write('"node_modules/left/index.js"'), refused: readOnly },
  { way: 'install a package', script: attempt('os.mkdir("node_modules/evil")'), refused: readOnly },
  { way: 'put something into the quarantine', script: write('".toolkit/quarantine/evil"'), refused: ['EACCES', 'ENOENT', 'EROFS'] },
  { way: 'move the quarantine', script: attempt('os.rename(".toolkit", "old")'), refused: ['EBUSY', 'EXDEV'] },
  { way: 'move the root', script: attempt('os.rename(ROOT, ROOT + "2")'), refused: ['EBUSY', 'EXDEV', ...readOnly] },
  { way: 'write by the descriptors of the service', script: descriptors(), refused: ['EBADF'] },
  { way: 'change how it is watched by the kernel', script: write('"/proc/self/oom_score_adj"'), refused: readOnly },
  { way: 'change a setting of the kernel', script: attempt('open("/proc/sys/kernel/core_pattern", "a")'), refused: readOnly },
  { way: 'press a key of the kernel', script: attempt('open("/proc/sysrq-trigger", "a")'), refused: [...readOnly, 'ENOENT'] },

  // Other processes.
  { way: 'read the environment of the service', script: read('f"/proc/{SERVER_PID}/environ"'), refused: ['ENOENT'], succeedsPlain: true },
  { way: 'find the secret in the environment of any process', script: attempt('environments()'), refused: ['ENOENT'], succeedsPlain: true },
  { way: 'send a signal to the service', script: attempt('os.kill(SERVER_PID, 0)'), refused: ['ESRCH'], succeedsPlain: true },
  { way: 'trace the service', script: attempt('system("ptrace", 16, SERVER_PID, 0, 0)'), refused: ['ESRCH', 'EPERM'] },
  { way: 'open the file system of the service', script: attempt('os.listdir(f"/proc/{SERVER_PID}/root")'), refused: ['ENOENT'] },
  { way: 'see shared memory of others', script: read('"/dev/shm/" + os.path.basename(OUTSIDE)'), refused: ['ENOENT'], succeedsPlain: true },
  {
    way: 'type into a terminal',
    script: attempt('__import__("fcntl").ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x")'),
    refused: ['ENXIO', ...forbidden],
  },

  // The network.
  {
    way: 'reach a server on this machine',
    script: attempt('socket.create_connection(("127.0.0.1", LOOPBACK_PORT))'),
    refused: ['ECONNREFUSED', 'ENETUNREACH'],
    succeedsPlain: true,
  },
  { way: 'reach an address outside', script: attempt('socket.create_connection(("192.0.2.1", 80), 5)'), refused: ['ENETUNREACH'] },
  {
    way: 'send a packet outside',
    script: attempt('socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53))'),
    refused: ['ENETUNREACH', 'EPERM'],
  },
  { way: 'reach a socket by its path', script: attempt('connect(OUTSIDE + "/agent.sock")'), refused: ['ENOENT'], succeedsPlain: true },
  {
    way: 'reach a socket in the root',
    script: attempt('connect("project.sock")'),
    refused: ['ECONNREFUSED', 'EACCES'],
    succeedsPlain: true,
  },
  {
    way: 'reach a socket by its abstract name',
    script: attempt('connect(f"\\0toolkit-sandbox-{SERVER_PID}".ljust(108, "\\0"))'),
    refused: ['ECONNREFUSED'],
    succeedsPlain: true,
  },
  { way: 'find sockets of the system', script: attempt('os.listdir("/run")'), refused: ['ENOENT'], succeedsPlain: true },

  // Rights.
  { way: 'mount', script: attempt('system("mount", b"none", b"/tmp", b"tmpfs", 0, None)'), refused: forbidden },
  { way: 'mount a folder over another', script: attempt('system("mount", b"service", b"tools", None, 4096, None)'), refused: forbidden },
  { way: 'take a wall away', script: attempt('system("umount2", b".env", 2)'), refused: forbidden },
  { way: 'make the root writable again', script: attempt('system("mount", None, b"/usr", None, 32 | 4096, None)'), refused: forbidden },
  { way: 'change its root', script: attempt('os.chroot(".")'), refused: forbidden },
  {
    way: 'make a user namespace',
    script: attempt('in_child(lambda: system("unshare", 0x10000000))'),
    refused: ['ENOSPC', 'EUSERS', ...forbidden],
  },
  { way: 'make a mount namespace', script: attempt('in_child(lambda: system("unshare", 0x00020000))'), refused: forbidden },
  { way: 'become another account', script: attempt('os.setuid(os.getuid() + 1)'), refused: ['EINVAL', 'EPERM'] },
  { way: 'give a file to another account', script: attempt('os.chown("data.txt", os.getuid() + 1, -1)'), refused: ['EINVAL', 'EPERM'] },
  { way: 'make a device', script: attempt('os.mknod("device", 0o020666, os.makedev(1, 1))'), refused: forbidden },
  { way: 'load code into the kernel', script: attempt('system("syscall", 175, None, 0, b"")'), refused: [...forbidden, 'ENOSYS'] },
  { way: 'set the clock', script: attempt('__import__("time").clock_settime(0, 0)'), refused: forbidden },
  { way: 'name the machine', script: attempt('socket.sethostname("evil")'), refused: forbidden },
  { way: 'open a raw socket', script: attempt('socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)'), refused: forbidden },
];

/** Writes to all descriptors but its own: no file of this machine may be among them. */
function descriptors(): string {
  return `
for entry in os.listdir("/proc/self/fd"):
    try:
        target = os.readlink("/proc/self/fd/" + entry)
    except OSError:
        continue
    if target.startswith("/") and not target.startswith(("/proc/", "/dev/null")):
        print("DONE", target)
${attempt('os.write(63, b"x")')}`;
}

/** Functions that some scripts call. */
export const helpers = `
def connect(address):
    socket.socket(socket.AF_UNIX).connect(address)

def in_child(run):
    child = os.fork()
    if child == 0:
        try:
            run()
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        raise OSError(code, "in a child")

def exchange(old, new):
    system("renameat2", -100, old.encode(), -100, new.encode(), 2)

def environments():
    for entry in os.listdir("/proc"):
        if entry.isdigit() and int(entry) != os.getpid():
            try:
                if "SWORDFISH" in open("/proc/%s/environ" % entry).read():
                    return entry
            except OSError:
                pass
    raise OSError(errno.ENOENT, "no process has it")
`;
