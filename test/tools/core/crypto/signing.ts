import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import type { Toolkit, ToolkitOptions } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { python } from '../../../support/python.ts';

const { coreToolkit } = coreGroup('crypto');

/** Options of a Toolkit in which tools may use these secrets by name, and reach 127.0.0.1. */
export function optionsWithSecrets(env: Readonly<Record<string, string>>, allowed = Object.keys(env)): ToolkitOptions {
  return { namedSecrets: [...allowed], plugins: [secretsEnv({ env: { ...env } })], allowHosts: ['127.0.0.1'] };
}

export function toolkitWithSecrets(...given: Parameters<typeof optionsWithSecrets>): Promise<Toolkit> {
  return coreToolkit(optionsWithSecrets(...given));
}

/** Returns the digests of Python's hmac, by algorithm, in hexadecimal. */
export function pythonHmac(secret: string, text: string): Record<string, string> {
  const program = [
    'import hmac',
    'secret, text = [part.encode() for part in given]',
    'names = {"sha256": "sha256", "sha512": "sha512", "sha1": "sha1", "md5": "md5", "sha3-256": "sha3_256"}',
    'result = {name: hmac.new(secret, text, of).hexdigest() for name, of in names.items()}',
  ].join('\n');
  return python(program, [secret, text]);
}

export function base64url(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** A token that Python's hmac signs. */
export function hmacToken(claims: unknown, secret: string, { bits = 256, header = {} as object } = {}): string {
  const signed = `${base64url({ alg: `HS${bits}`, ...header })}.${base64url(claims)}`;
  const program = 'import hmac\nbits, key, text = given\nresult = hmac.new(key.encode(), text.encode(), "sha%d" % bits).hexdigest()';
  return `${signed}.${Buffer.from(python<string>(program, [bits, secret, signed]), 'hex').toString('base64url')}`;
}

export interface KeyPair {
  /** The public half as a JSON Web Key. */
  readonly jwk: Readonly<Record<string, unknown>>;
  /** The public half in PEM. */
  readonly pem: string;
  /** A token that openssl signs. */
  token(claims: unknown, header?: object): string;
}

const generate = {
  RS256: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  ES256: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  EdDSA: ['-algorithm', 'ED25519'],
} as const;

/** A new key pair of openssl. */
export function keyPair(alg: keyof typeof generate, kid?: string): KeyPair {
  const key = openssl(['genpkey', ...generate[alg]]).toString();
  const pem = openssl(['pkey', '-pubout'], key).toString();
  const der = openssl(['pkey', '-pubout', '-outform', 'DER'], key);
  return {
    pem,
    jwk: { ...publicKey(alg, pem, der), ...(kid === undefined ? {} : { kid }) },
    token: (claims, header = kid === undefined ? {} : { kid }) => {
      const signed = `${base64url({ alg, ...header })}.${base64url(claims)}`;
      return `${signed}.${signature(alg, key, signed).toString('base64url')}`;
    },
  };
}

function publicKey(alg: keyof typeof generate, pem: string, der: Buffer): Record<string, string> {
  if (alg === 'RS256') {
    const modulus = openssl(['rsa', '-pubin', '-noout', '-modulus'], pem).toString().trim().replace('Modulus=', '');
    return { kty: 'RSA', n: Buffer.from(modulus, 'hex').toString('base64url'), e: 'AQAB' };
  }
  const end = (from: number, to?: number): string => der.subarray(from, to).toString('base64url');
  if (alg === 'EdDSA') return { kty: 'OKP', crv: 'Ed25519', x: end(-32) };
  return { kty: 'EC', crv: 'P-256', x: end(-64, -32), y: end(-32) };
}

function signature(alg: keyof typeof generate, key: string, text: string): Buffer {
  if (alg !== 'EdDSA') {
    const signed = withFiles({ key, text }, (file) => openssl(['dgst', '-sha256', '-sign', file('key'), file('text')]));
    return alg === 'RS256' ? signed : rawSignature(signed);
  }
  return withFiles({ key, text }, (file) => openssl(['pkeyutl', '-sign', '-rawin', '-inkey', file('key'), '-in', file('text')]));
}

/** Two numbers of 32 bytes, as RFC 7518 (3.4) wants them, from the ASN.1 that openssl writes. */
function rawSignature(der: Buffer): Buffer {
  const length = der[3] ?? 0;
  const numbers = [der.subarray(4, 4 + length), der.subarray(6 + length)];
  return Buffer.concat(numbers.map((number) => Buffer.concat([Buffer.alloc(32), number]).subarray(-32)));
}

function withFiles(files: Readonly<Record<string, string>>, use: (file: (name: string) => string) => Buffer): Buffer {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolkit-test-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    return use((name) => path.join(folder, name));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function openssl(args: readonly string[], input = ''): Buffer {
  return execFileSync('openssl', args, { input, stdio: ['pipe', 'pipe', 'ignore'] });
}
