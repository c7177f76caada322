/**
 * Loaded into the runner before its own code. Asks the server that started it, over descriptor 3 with a line of JSON each way: before every connection,
 * whatever opens it (requests, redirects, proxies, scripts), and in a safe run before a file is opened or changed. Scripts cannot bypass it, because in a
 * safe run they do not run in Node. A safe run starts no programs. No run starts the login shell, whose environment the runner would take over: it has
 * variables that this process must not have.
 */
const childProcess = require('node:child_process');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');
const path = require('node:path');
const { fileURLToPath } = require('node:url');

const channel = 3;
const { readSync, writeSync } = fs;

/** Waits synchronously for the answer: files are read where nothing can be awaited. */
function ask(question) {
  const line = Buffer.from(`${JSON.stringify(question)}\n`);
  for (let sent = 0; sent < line.length; ) sent += writeSync(channel, line, sent);
  const [chunks, chunk] = [[], Buffer.alloc(16 * 1024)];
  while (chunks.at(-1)?.at(-1) !== 0x0a) {
    const length = readSync(channel, chunk);
    // The server has ended.
    if (length === 0) process.exit(1);
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
  // Own text: the answer of this program to its own guard
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function refusal({ refused, code = 'EACCES' }) {
  return Object.assign(new Error(refused), { code });
}

/** Access of this process. `own`: folders with the code of the runner. */
const { isSafe, own: installed } = ask({ start: process.argv[1] ?? '' });
const own = [__dirname, ...installed];
// For the runner only, not for programs that it starts.
if (process.env.NODE_OPTIONS?.includes(__filename)) delete process.env.NODE_OPTIONS;
guardConnections();
guardPrograms();
if (isSafe) guardFiles();
syncBuiltinESMExports();

function guardConnections() {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    const [options, callback] = Array.isArray(args[0]) ? args[0] : net._normalizeArgs(args);
    const { host, path: file, port } = options;
    const { addresses = [], ...answer } = ask({ connect: { host: String(host || 'localhost'), port: Number(port), file } });
    const [first] = addresses;
    const lookup = (_host, { all }, done) =>
      process.nextTick(() => {
        if (first === undefined) done(refusal(answer));
        else if (all) done(null, addresses);
        else done(null, first.address, first.family);
      });
    // Not an address, so that it is looked up; never a socket file.
    const checked = { ...options, host: 'checked.invalid', port: file === undefined || file === null ? port : 1, lookup };
    delete checked.path;
    return connect.call(this, checked, callback);
  };
}

function guardPrograms() {
  const isRefused = (args) => isSafe || String(args).includes('_SHELL_ENV_DELIMITER_');
  const check = (args) => {
    if (isRefused(args)) throw Object.assign(new Error('a safe run starts no programs'), { code: 'EACCES' });
  };
  const { spawn } = childProcess.ChildProcess.prototype;
  childProcess.ChildProcess.prototype.spawn = function (options) {
    check(options?.args);
    return spawn.call(this, options);
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const original = childProcess[name];
    childProcess[name] = (...args) => {
      check(JSON.stringify(args));
      return original(...args);
    };
  }
}

function guardFiles() {
  const two = ['rename', 'link', 'symlink', 'copyFile', 'cp'];
  const one = [
    'writeFile',
    'appendFile',
    'truncate',
    'unlink',
    'rm',
    'rmdir',
    'mkdir',
    'mkdtemp',
    'chmod',
    'chown',
    'lchown',
    'utimes',
    'lutimes',
  ];
  wrap('readFile', ([file, ...rest]) => [checked(file, 'read'), ...rest]);
  wrap('open', ([file, flags, ...rest]) => [checked(file, isReading(flags) ? 'read' : 'write'), flags, ...rest]);
  for (const name of one) wrap(name, ([file, ...rest]) => [checked(file, 'write'), ...rest]);
  for (const name of two) wrap(name, ([from, to, ...rest]) => [checked(from, 'write'), checked(to, 'write'), ...rest]);
}

/** Wraps a function of `fs` in its three forms: with a callback, synchronous, with a promise. */
function wrap(name, check) {
  const [withCallback, sync, promised] = [fs[name], fs[`${name}Sync`], fs.promises[name]];
  fs[name] = (...args) => {
    let known;
    try {
      known = check(args);
    } catch (error) {
      const callback = args.findLast((arg) => typeof arg === 'function');
      if (callback === undefined) throw error;
      process.nextTick(callback, error);
      return;
    }
    withCallback(...known);
  };
  fs[`${name}Sync`] = (...args) => sync(...check(args));
  fs.promises[name] = async (...args) => promised(...check(args));
}

/** Returns the real path to open in place of a path. Throws when access is refused. */
function checked(file, access) {
  const text = Buffer.isBuffer(file) ? file.toString() : file instanceof URL ? fileURLToPath(file) : file;
  // A descriptor or handle was checked when it was opened.
  if (typeof text !== 'string') return file;
  const absolute = path.resolve(text);
  if (own.some((folder) => absolute.startsWith(folder + path.sep)) || isOwnManifest(absolute)) return file;
  const { place, ...answer } = ask({ file: absolute, access });
  if (place === undefined) throw refusal(answer);
  return place;
}

/** The runner looks for the package.json of the script that it was started with. */
function isOwnManifest(file) {
  return path.basename(file) === 'package.json' && __dirname.startsWith(path.dirname(file) + path.sep);
}

function isReading(flags) {
  if (typeof flags === 'number')
    return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT | fs.constants.O_TRUNC)) === 0;
  return typeof flags !== 'string' || ['r', 'rs', 'sr'].includes(flags);
}
