import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSecureContext } from 'node:tls';
import { excerpt, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import { decodeUtf8 } from '../../text/utf8.ts';
import { mcpTlsOptions, type TlsContext, type TlsMaterial } from './material.ts';
import { selfSigned } from './self-signed.ts';

export interface TlsOptions {
  readonly https?: boolean | undefined;
  /** Implies `https`. */
  readonly selfSigned?: boolean | undefined;
  /** PEM file, relative to the working directory: the certificate, then the rest of its chain. Implies `https`. */
  readonly certPath?: string | undefined;
  /** PEM file with the private key of that certificate, not encrypted. Implies `https`. */
  readonly keyPath?: string | undefined;
}

/**
 * Returns the certificate and key for a `node:https` server; undefined for plain HTTP. Checks everything, so that a server never starts
 * with a certificate that no client accepts. Throws CONFIG_INVALID, and the errors of `selfSigned`.
 */
export async function tlsMaterial(options: TlsOptions, context: TlsContext): Promise<TlsMaterial | undefined> {
  const { https = false, certPath, keyPath } = options;
  const { options: optionNames = mcpTlsOptions } = context;
  const paths = (['certPath', 'keyPath'] as const).filter((option) => options[option] !== undefined).map((option) => optionNames[option]);
  if (options.selfSigned === true && paths.length > 0) {
    throw new ToolkitError(
      'CONFIG_INVALID',
      `HTTPS has two certificates: expected either ${optionNames.selfSigned} or a certificate of your own, received ${optionNames.selfSigned} and ${paths.join(' and ')}. Leave one of them out.`,
    );
  }
  if (options.selfSigned === true) return selfSigned(context);
  if (certPath !== undefined && keyPath !== undefined) return materialFromFiles(certPath, keyPath, context);
  if (!https && paths.length === 0) return undefined;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `HTTPS needs a certificate and its private key: expected ${optionNames.certPath} with ${optionNames.keyPath}, or ${optionNames.selfSigned}, received ${paths[0] === undefined ? 'none of them' : `only ${paths[0]}`}. Give ${optionNames.files}, or ${optionNames.signing}.`,
  );
}

async function materialFromFiles(certPath: string, keyPath: string, context: TlsContext): Promise<TlsMaterial> {
  const { cwd, now = Date.now, options = mcpTlsOptions } = context;
  const certFile: PemFile = { option: 'certPath', name: options.certPath, file: path.resolve(cwd, certPath) };
  const keyFile: PemFile = { option: 'keyPath', name: options.keyPath, file: path.resolve(cwd, keyPath) };
  const { cert, leaf } = certificateIn(certFile, await readPem(certFile));
  const key = privateKeyIn(keyFile, await readPem(keyFile));
  if (!leaf.checkPrivateKey(key)) {
    throw pemError(
      keyFile,
      `expected the private key of the first certificate in "${excerpt(certFile.file)}", received the key of another`,
      'Give the two files that belong together, and in a chain put the certificate of the server first',
    );
  }
  const expiresAt = checkValidity(certFile, leaf, now());
  const material = { cert, key: key.export({ type: 'pkcs8', format: 'pem' }).toString(), expiresAt };
  try {
    createSecureContext(material);
  } catch (error) {
    throw pemError(
      certFile,
      `expected a certificate that TLS can use, received one it refuses: ${excerpt(messageOf(error))}`,
      'Replace it',
      error,
    );
  }
  return material;
}

interface PemFile {
  readonly option: 'certPath' | 'keyPath';
  /** The option in messages. */
  readonly name: string;
  /** Absolute. */
  readonly file: string;
}

async function readPem(pem: PemFile): Promise<string> {
  try {
    return decodeUtf8(await readFile(pem.file)).text;
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    const received: Readonly<Record<string, string>> = {
      ENOENT: 'nothing: it does not exist',
      EACCES: 'one that this account may not read',
      EISDIR: 'a folder',
    };
    throw pemError(
      pem,
      `expected a file that can be read, received ${received[code] ?? code}`,
      'Correct the path or its permissions',
      error,
    );
  }
}

function certificateIn(pem: PemFile, text: string): { cert: string; leaf: X509Certificate } {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  try {
    const [leaf] = blocks.map((block) => new X509Certificate(block));
    if (leaf !== undefined) return { cert: `${blocks.join('\n')}\n`, leaf };
  } catch (error) {
    throw pemError(pem, 'expected PEM certificates, received a block that is damaged', 'Export the certificate again', error);
  }
  throw pemError(
    pem,
    `expected a PEM file with "-----BEGIN CERTIFICATE-----", received ${kindOfFile(text)}`,
    'Name the file of the certificate, converted to PEM',
  );
}

function privateKeyIn(pem: PemFile, text: string): KeyObject {
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw pemError(
      pem,
      'expected a private key without a passphrase, received an encrypted one',
      'Decrypt it into a file that only this account can read: umask 077; openssl pkey -in <encrypted> -out <decrypted>',
    );
  }
  if (!/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/.test(text)) {
    throw pemError(
      pem,
      `expected a PEM file with "-----BEGIN PRIVATE KEY-----", received ${kindOfFile(text)}`,
      'Name the file of the private key, converted to PEM',
    );
  }
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw pemError(pem, 'expected a PEM private key, received a block that is damaged', 'Export the key again', error);
  }
}

/** Returns the kind of a file for an error message, which must not quote its content. */
function kindOfFile(text: string): string {
  if (text.trim() === '') return 'an empty file';
  if (/[\0\ufffd]/.test(text)) return 'binary data';
  const label = /-----BEGIN ([A-Z0-9 ]{1,40})-----/.exec(text)?.[1];
  return label === undefined ? 'text without it' : `a PEM file with "-----BEGIN ${label}-----"`;
}

/** Returns the time until which clients accept the certificate, in epoch ms. */
function checkValidity(pem: PemFile, { validFrom, validTo }: X509Certificate, now: number): number {
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  if (from <= now && now <= to) return to;
  throw pemError(
    pem,
    `expected a certificate that is valid now (${new Date(now).toISOString()}), received one that ${from > now ? `is not valid before ${validFrom}` : `expired at ${validTo}`}`,
    from > now ? 'Correct the clock of this machine, or replace the certificate' : 'Renew it',
  );
}

/** Quotes nothing of the file. */
function pemError({ option, name, file }: PemFile, problem: string, next: string, cause?: unknown): ToolkitError {
  const message = `${name} names "${excerpt(file)}": ${problem}. ${next}.`;
  return new ToolkitError('CONFIG_INVALID', message, { option, file }, { cause });
}
