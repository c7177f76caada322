import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { holdPort } from '../../support/closed-port.ts';
import { makeCertificates } from './certificates.ts';
import { programFolder, serverUser, type User } from './programs.ts';

const run = promisify(execFile);

const superPassword = 'not-the-real-password';
/** Logs in with the certificate `client.crt`. */
export const certifiedRole = 'certified';

export interface OwnServer {
  /** For its superuser. */
  readonly url: URL;
  readonly folder: string;
  stop(): Promise<void>;
}

const initdbOptions = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];

const logins = `local all all scram-sha-256
hostssl all ${certifiedRole} all cert
host all all all scram-sha-256
host replication all all scram-sha-256
`;

/**
 * A shell around the server that ends it when its standard input ends: with the test run, however that ends. Arguments: the program, its
 * data, what to remove afterwards, and more arguments of the program.
 */
const keeper =
  'exec 3<&0; data=$1; folder=$2; shift 2; "$0" -D "$data" "$@" & server=$!; (cat <&3 >/dev/null; kill -INT $server) & wait $server; rm -rf "$folder"';

/** Starts PostgreSQL in a temporary folder, with TLS and a Unix socket there. Throws when there is none on this machine. */
export async function startOwnServer(): Promise<OwnServer> {
  const programs = programFolder();
  if (programs === undefined)
    throw new Error(
      'These tests need PostgreSQL. Install its server (Debian: apt-get install postgresql), or set TOOLKIT_TEST_POSTGRES_URL to postgresql://user:password@host:port/database with a superuser of a server that may be changed.',
    );
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-postgres-'));
  // PostgreSQL takes no port of the system's choice. Making its data takes seconds, in which nobody else must get this one.
  const { port, release } = await holdPort();
  let shell: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (shell !== undefined) await end(shell);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const user = await serverUser();
    const data = await makeData(folder, programs, user);
    await appendFile(path.join(data, 'postgresql.conf'), settingsOf(folder, port));
    shell = keep(programs, data, folder, user);
    await ready(shell);
    return { url: new URL(`postgresql://postgres:${superPassword}@127.0.0.1:${port}/postgres`), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    release();
  }
}

/** Starts a hot standby of a server that `startOwnServer` started. `select pg_promote()` on it makes it the primary. */
export async function startStandby(primary: OwnServer): Promise<OwnServer> {
  const programs = programFolder() ?? '';
  const user = await serverUser();
  const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-standby-'));
  const { port, release } = await holdPort();
  let shell: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (shell !== undefined) await end(shell);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    const data = path.join(folder, 'data');
    const backup = ['-d', primary.url.href, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
    await run(path.join(programs, 'pg_basebackup'), backup, { ...user, cwd: folder });
    shell = keep(programs, data, folder, user, ['-c', `port=${port}`, '-c', `unix_socket_directories=${folder}`]);
    await ready(shell);
    return { url: Object.assign(new URL(primary.url), { port: String(port) }), folder, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    release();
  }
}

function keep(programs: string, data: string, folder: string, user: User | undefined, more: readonly string[] = []): ChildProcess {
  const program = path.join(programs, 'postgres');
  return spawn('/bin/sh', ['-c', keeper, program, data, folder, ...more], { ...user, cwd: '/', stdio: ['pipe', 'ignore', 'pipe'] });
}

async function makeData(folder: string, programs: string, user: User | undefined): Promise<string> {
  const data = path.join(folder, 'data');
  const password = path.join(folder, 'password');
  await writeFile(password, superPassword);
  await makeCertificates(folder, certifiedRole);
  for (const name of user === undefined ? [] : ['.', ...(await readdir(folder))])
    await chown(path.join(folder, name), user?.uid ?? 0, user?.gid ?? 0);
  await run(path.join(programs, 'initdb'), [...initdbOptions, `--pwfile=${password}`, data], { ...user, cwd: folder });
  await writeFile(path.join(data, 'pg_hba.conf'), logins);
  return data;
}

/** In a file, so that tests can change them. */
function settingsOf(folder: string, port: number): string {
  const settings = {
    listen_addresses: 'localhost',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    max_prepared_transactions: 5,
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: path.join(folder, 'server.crt'),
    ssl_key_file: path.join(folder, 'server.key'),
    ssl_ca_file: path.join(folder, 'ca.crt'),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  return `${lines.join('\n')}\n`;
}

/** Resolves when the server takes connections; throws its last words when it ends instead. */
async function ready(shell: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    shell.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    shell.once('error', reject);
    shell.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000);
      if (/ready to accept (read-only )?connections/.test(said)) resolve();
    });
  });
}

/** The fast shutdown of PostgreSQL, which ends all connections. */
async function end(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return;
  const exited = once(shell, 'exit');
  shell.stdin?.end();
  await exited;
}
