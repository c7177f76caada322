import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { isLoopback } from '../../shared/http/loopback.ts';
import type { TlsMaterial, TlsOptionNames } from '../../shared/http/tls/material.ts';
import { tlsMaterial } from '../../shared/http/tls/tls-material.ts';

/** Certificate of the listener: two files in PEM, or one that is made with openssl and kept in `.toolkit/certs`, as `toolkit mcp --self-signed` does. */
export interface ListenerTls {
  /** PEM file, relative to `cwd`: the certificate, then the rest of its chain. */
  readonly cert?: string | undefined;
  /** PEM file with the private key, not encrypted. */
  readonly key?: string | undefined;
  readonly selfSigned?: boolean | undefined;
}

const options: TlsOptionNames = {
  certPath: '"listen.tls.cert" of console',
  keyPath: '"listen.tls.key" of console',
  selfSigned: '"listen.tls.selfSigned" of console',
  files: '"listen.tls.cert" with "listen.tls.key" of console',
  signing: '"listen.tls.selfSigned"',
  names: '"listen.host" of console',
};

/** Throws CONFIG_INVALID for a host that other machines can reach, without TLS: codes, cookies and calls could be read on the way. */
export function checkListenHost(host: string, tls: ListenerTls | undefined): void {
  if (tls !== undefined || isLoopback(host)) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `The console does not listen on "${excerpt(host)}", which other machines can reach, without HTTPS: its codes and cookies could be read on the way. Set "listen.tls" of console to { cert, key } or { selfSigned: true }, or leave "listen.host" out.`,
    { host },
  );
}

/** Returns the host names that only this host adds to those of loopback. */
export function ownNames(host: string): readonly string[] {
  return isLoopback(host) || ['', '0.0.0.0', '::'].includes(host) ? [] : [host];
}

/** Reads the certificate; undefined for plain HTTP. Throws like `tlsMaterial`. */
export async function readListenerTls(host: string, tls: ListenerTls | undefined, cwd: string): Promise<TlsMaterial | undefined> {
  if (tls === undefined) return undefined;
  const { cert, key, selfSigned } = tls;
  return tlsMaterial({ https: true, certPath: cert, keyPath: key, selfSigned }, { cwd, names: ownNames(host), options });
}
