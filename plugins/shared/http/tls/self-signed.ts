import { createPrivateKey, generateKeyPair, randomUUID, X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, link, lstat, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type ErrorCode, type ErrorDetails, excerpt, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { minimalEnvironment, type ProgramResult, runProgram } from '../../process/program.ts';
import { mcpTlsOptions, type TlsContext, type TlsMaterial } from './material.ts';

const loopbackNames = ['localhost', '127.0.0.1', '::1'];
const hostLabel = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const renewBeforeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * A certificate for this machine that only clients who are given `certificateFile` trust. It is kept, and used again while it covers the
 * names and is valid for 30 more days. The key is never readable by others: its file has mode 0600 from the start, in a folder with mode
 * 0700, and one found looser is not used. Key and certificate are one file that appears whole; of servers that start at once, one makes
 * it for all. Throws CONFIG_INVALID, DEPENDENCY_MISSING without openssl, and EXECUTION_FAILED or TIMEOUT when that fails.
 */
export async function selfSigned(context: TlsContext): Promise<TlsMaterial> {
  const names = [...new Set([...loopbackNames, ...context.names.map((name) => checkedName(name, context))])];
  const folder = path.resolve(context.cwd, '.toolkit', 'certs');
  const certificateFile = path.join(folder, 'localhost.crt');
  try {
    await ensureFolder(path.dirname(folder), 0o755, context);
    await ensureFolder(folder, 0o700, context);
    await writeFile(path.join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(ignore('EEXIST'));
    const pair = await keptPair(folder, names, context);
    // Own text: compared with what was written here
    if ((await readFile(certificateFile, 'utf8').catch(ignore('ENOENT'))) !== pair.cert) {
      const part = `${certificateFile}.${randomUUID()}`;
      await writeFile(part, pair.cert, { flag: 'wx', mode: 0o644 });
      await rename(part, certificateFile);
    }
    return { ...pair, certificateFile };
  } catch (error) {
    if (ToolkitError.is(error) || (error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw folderError(folder, context, `this account cannot use it: ${excerpt(messageOf(error))}`, error);
  }
}

/** The name in lower case. Throws for one that could mean something else in the configuration of openssl. */
function checkedName(input: string, { options = mcpTlsOptions }: TlsContext): string {
  const name = input.toLowerCase().replace(/^\[(.*:.*)\]$/, '$1');
  const isHostName = name.split('.').every((label) => hostLabel.test(label)) && !/(^|\.)\d+$/.test(name);
  if (isIP(name) !== 0 ? !name.includes('%') : isHostName && name.length <= 253) return name;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `A self-signed certificate cannot cover "${excerpt(input, 100)}": expected a host name in ASCII, such as "tools.example", or an IP address without a zone. Correct ${options.names}.`,
  );
}

/** Creates a missing folder. Throws for a folder of another account, or a symbolic link. Restricts a folder that should have mode 0700. */
async function ensureFolder(folder: string, mode: number, context: TlsContext): Promise<void> {
  await mkdir(folder, { mode }).catch(ignore('EEXIST'));
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw folderError(folder, context, `it is ${stats.isSymbolicLink() ? 'a symbolic link' : 'not a folder'}`);
  const owner = process.geteuid?.();
  if (owner === undefined) return;
  if (![owner, 0, (await stat(context.cwd)).uid].includes(stats.uid)) throw folderError(folder, context, 'it belongs to another account');
  if (mode !== 0o700 || (stats.mode & 0o077) === 0) return;
  await chmod(folder, mode);
  if (((await lstat(folder)).mode & 0o077) !== 0) throw folderError(folder, context, 'its file system does not keep permissions');
}

/** Returns the newest of the numbered pairs, or creates one with the next number. Only one server can take a number. */
async function keptPair(folder: string, names: readonly string[], context: TlsContext): Promise<TlsMaterial> {
  const fileOf = (turn: number): string => path.join(folder, `localhost-${turn}.pem`);
  const read = (turn: number): Promise<TlsMaterial | undefined> => readPair(fileOf(turn), names, (context.now ?? Date.now)());
  const kept = await read(Math.max(0, ...(await turnsIn(folder))));
  if (kept !== undefined) return kept;
  const workFolder = await mkdtemp(path.join(folder, 'new-'));
  try {
    const made = await makePair(workFolder, names, context);
    const part = path.join(workFolder, 'pair.pem');
    await writeFile(part, made.key + made.cert, { flag: 'wx', mode: 0o600 });
    for (;;) {
      const turns = await turnsIn(folder);
      const newest = Math.max(0, ...turns);
      const madeByOther = await read(newest);
      if (madeByOther !== undefined) return madeByOther;
      if (!(await publish(part, fileOf(newest + 1)))) continue;
      await Promise.all(turns.map((turn) => rm(fileOf(turn), { recursive: true, force: true })));
      return made;
    }
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

async function turnsIn(folder: string): Promise<number[]> {
  return (await readdir(folder)).flatMap((name) => /^localhost-(\d{1,9})\.pem$/.exec(name)?.[1] ?? []).map(Number);
}

/** False when there is such a file already: a link, unlike a renamed file, replaces nothing. Not every file system has links. */
async function publish(part: string, file: string): Promise<boolean> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    await rename(part, file);
  }
  return true;
}

/** Reads a pair. Returns undefined for a missing, shared, damaged or soon expiring file. */
async function readPair(file: string, names: readonly string[], now: number): Promise<TlsMaterial | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const { mode, uid, size } = await handle.stat();
      const owner = process.geteuid?.();
      if (size > 1024 * 1024 || (owner !== undefined && (uid !== owner || (mode & 0o077) !== 0))) return undefined;
      // Own text: a certificate that was made here
      const text = await handle.readFile('utf8');
      const border = text.indexOf('-----BEGIN CERTIFICATE-----');
      const { pair, validFrom } = checkedPair(text.slice(0, border), text.slice(border), names);
      return validFrom <= now && now + renewBeforeMs <= pair.expiresAt ? pair : undefined;
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

/** Throws when one of them cannot be read, when they do not belong together, and when a name is not covered. */
function checkedPair(key: string, cert: string, names: readonly string[]): { pair: TlsMaterial; validFrom: number } {
  const certificate = new X509Certificate(cert);
  if (!certificate.checkPrivateKey(createPrivateKey(key))) throw new Error('the key is not that of the certificate');
  const missing = names.find((name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) === undefined);
  if (missing !== undefined) throw new Error(`the certificate does not cover ${missing}`);
  return {
    pair: { key, cert: certificate.toString(), expiresAt: Date.parse(certificate.validTo) },
    validFrom: Date.parse(certificate.validFrom),
  };
}

async function makePair(workFolder: string, names: readonly string[], context: TlsContext): Promise<TlsMaterial> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await writeFile(path.join(workFolder, 'key.pem'), key, { flag: 'wx', mode: 0o600 });
  await writeFile(path.join(workFolder, 'request.cnf'), requestFor(names), { flag: 'wx' });
  const args = ['req', '-x509', '-new', '-sha256', '-days', '365', '-config', 'request.cnf', '-key', 'key.pem'];
  const { exitCode, signal, stdout, stderr } = await openssl(args, workFolder, context);
  try {
    if (exitCode !== 0) throw new Error(`it ended with ${exitCode ?? signal}`);
    // Own text: a certificate of openssl, in ASCII
    return checkedPair(key, stdout.toString('utf8'), names).pair;
  } catch (error) {
    // Own text: an error of openssl
    const said = excerpt(stderr.toString('utf8').replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/, '[private key]'));
    const message = `openssl made no usable certificate: ${excerpt(messageOf(error))}. It said: "${said}". Install a current OpenSSL`;
    throw failure('EXECUTION_FAILED', message, context, error);
  }
}

function requestFor(names: readonly string[]): string {
  return [
    '[req]\nprompt = no\ndistinguished_name = subject\nx509_extensions = extensions\n[subject]\nCN = localhost\n[extensions]',
    'basicConstraints = critical, CA:FALSE\nextendedKeyUsage = serverAuth\nsubjectKeyIdentifier = hash\nsubjectAltName = @names\n[names]',
    ...names.map((name, index) => `${isIP(name) === 0 ? 'DNS' : 'IP'}.${index} = ${name}\n`),
  ].join('\n');
}

async function openssl(args: readonly string[], cwd: string, context: TlsContext): Promise<ProgramResult> {
  const { env, opensslTimeoutMs = 20_000 } = context;
  const signal = AbortSignal.timeout(opensslTimeoutMs);
  try {
    return await runProgram('openssl', args, { cwd, env: minimalEnvironment(env), signal, maxOutputBytes: 1_000_000 });
  } catch (error) {
    if (signal.aborted) {
      const message = `openssl did not end within ${opensslTimeoutMs} ms and was stopped. See whether "openssl version" answers`;
      throw failure('TIMEOUT', message, context, error);
    }
    if (!ToolkitError.is(error) || error.code !== 'DEPENDENCY_MISSING') throw error;
    const message = 'A self-signed certificate needs the program openssl, which is not installed or not on the PATH. Install OpenSSL';
    throw failure('DEPENDENCY_MISSING', message, context, error);
  }
}

function folderError(folder: string, context: TlsContext, problem: string, cause?: unknown): ToolkitError {
  const message = `A self-signed certificate cannot be kept in "${excerpt(folder)}": ${problem}. Make it a folder that this account owns and can write`;
  return failure('CONFIG_INVALID', message, context, cause, { file: folder });
}

function failure(
  code: ErrorCode,
  message: string,
  { options = mcpTlsOptions }: TlsContext,
  cause: unknown,
  details: ErrorDetails = { program: 'openssl' },
): ToolkitError {
  return new ToolkitError(code, `${message}, or give ${options.files} instead.`, details, { cause });
}

/** For a step whose failure with this code means that there is nothing to do. */
function ignore(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
