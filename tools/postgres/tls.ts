import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { Failure } from './failure.ts';
import type { Settings } from './settings.ts';

/**
 * Returns the TLS options of libpq's sslmode: `require` encrypts and checks nothing, unless there is a root certificate, which makes it
 * `verify-ca`; `verify-ca` checks the chain, `verify-full` also the host name. Throws CONFIG_INVALID for an unreadable file.
 */
export async function tlsOptions({ sslMode, sslFiles }: Settings): Promise<ConnectionOptions | false> {
  if (sslMode === 'disable') return false;
  const [ca, cert, key] = await Promise.all([
    // libpq's word for the certificates of the system.
    sslFiles.ca === 'system' ? undefined : readPem('sslrootcert', sslFiles.ca),
    readPem('sslcert', sslFiles.cert),
    readPem('sslkey', sslFiles.key),
  ]);
  const isChecked = sslMode !== 'require' || sslFiles.ca !== undefined;
  return {
    rejectUnauthorized: isChecked,
    ...(isChecked && sslMode !== 'verify-full' ? { checkServerIdentity: () => undefined } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

async function readPem(parameter: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    // Own text: of the operator, and this package imports nothing of ours. Without a byte order mark.
    return new TextDecoder().decode(await readFile(file));
  } catch (error) {
    const { code } = error as { code?: string };
    throw new Failure(
      'CONFIG_INVALID',
      `The file that ${parameter} of POSTGRES_URL names cannot be read (${code}). Correct the path or its rights.`,
    );
  }
}
