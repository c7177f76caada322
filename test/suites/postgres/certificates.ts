import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/**
 * Made by openssl in the folder, each with its key: `ca.crt`; `server.crt`, which names localhost alone; `client.crt` for this role; and
 * `stranger.crt`, an authority that has signed nothing.
 */
export async function makeCertificates(folder: string, role: string): Promise<void> {
  const file = (name: string): string => path.join(folder, name);
  const authority = async (name: string): Promise<void> => {
    await run('openssl', [
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      file(`${name}.key`),
      '-out',
      file(`${name}.crt`),
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    ]);
  };
  const signed = async (name: string, subject: string, extension: string): Promise<void> => {
    await writeFile(file(`${name}.ext`), extension);
    await run('openssl', ['req', ...newKey, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`), '-subj', `/CN=${subject}`]);
    const by = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', file(`${name}.ext`)];
    await run('openssl', ['x509', '-req', '-in', file(`${name}.csr`), '-out', file(`${name}.crt`), ...by]);
  };
  await authority('ca');
  await authority('stranger');
  await signed('server', 'localhost', 'subjectAltName=DNS:localhost');
  await signed('client', role, 'extendedKeyUsage=clientAuth');
}
