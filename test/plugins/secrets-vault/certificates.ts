import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary.ts';

export interface Certificates {
  /** PEM of the authority. */
  readonly ca: string;
  /** PEM of a server, issued by the authority. */
  readonly cert: string;
  readonly key: string;
}

/** An authority of its own, and a server certificate that it issued for these names, such as `IP:127.0.0.1`. */
export async function issue(names: string, days = 2): Promise<Certificates> {
  const cwd = await temporaryFolder({ 'server.ext': `subjectAltName=${names}\n` });
  const openssl = async (...args: string[]): Promise<void> => {
    await promisify(execFile)('openssl', args, { cwd });
  };
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  await openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=test authority', '-days', '2');
  await openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=test vault');
  const from = ['-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'server.ext'];
  await openssl('x509', '-req', ...from, '-days', String(days), '-out', 'server.pem');
  const read = (name: string) => readFile(path.join(cwd, name), 'utf8');
  return { ca: await read('ca.pem'), cert: await read('server.pem'), key: await read('server.key') };
}

/** A file with these certificates, removed after the test. */
export async function pemFile(text: string): Promise<string> {
  return path.join(await temporaryFolder({ 'ca.pem': text }), 'ca.pem');
}
