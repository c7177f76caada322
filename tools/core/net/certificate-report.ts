import type { X509Certificate } from 'node:crypto';
import tls from 'node:tls';
import { ToolkitError } from '../../../kernel/index.ts';
import { subjectNames } from './subject-names.ts';

export type CertificateProblem = 'expired' | 'not_yet_valid' | 'wrong_host' | 'self_signed' | 'untrusted_issuer' | 'invalid';

export interface CertificateReport {
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601, as all times here. */
  readonly valid_from: string;
  readonly valid_to: string;
  readonly days_left: number;
  readonly names: readonly string[];
  readonly fingerprint256: string;
  readonly protocol: string;
  readonly valid: boolean;
  readonly problems: readonly CertificateProblem[];
  readonly problem_details: string | null;
  readonly chain: readonly { readonly subject: string; readonly issuer: string; readonly valid_to: string }[];
}

const dayMs = 86_400_000;

const chainProblems: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not_yet_valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted_issuer',
};

/** Describes the certificate of a connection after its handshake. `host`: name or address that the certificate must be for. */
export function reportOf(socket: tls.TLSSocket, host: string, shown: string): CertificateReport {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) throw new ToolkitError('EXECUTION_FAILED', `${shown} showed no certificate.`);
  const code = chainCode(socket);
  // Not from socket.getPeerCertificate, which may return nothing by now.
  const problems = problemsOf(certificate, code, tls.checkServerIdentity(host, certificate.toLegacyObject()) === undefined);
  return {
    subject: oneLine(certificate.subject),
    issuer: oneLine(certificate.issuer),
    valid_from: isoTime(certificate.validFrom),
    valid_to: isoTime(certificate.validTo),
    days_left: Math.floor((Date.parse(certificate.validTo) - Date.now()) / dayMs),
    names: subjectNames(certificate.subjectAltName),
    fingerprint256: certificate.fingerprint256,
    protocol: socket.getProtocol() ?? 'unknown',
    valid: problems.length === 0,
    problems,
    problem_details: code ?? null,
    chain: chainOf(certificate).map(({ subject, issuer, validTo }) => ({
      subject: oneLine(subject),
      issuer: oneLine(issuer),
      valid_to: isoTime(validTo),
    })),
  };
}

/** Returns the code of a failed chain, which Node sets as a text or in an error; undefined for a valid chain. */
function chainCode({ authorized, authorizationError }: tls.TLSSocket): string | undefined {
  if (authorized) return undefined;
  const error = authorizationError as unknown;
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
}

/**
 * Returns all problems of a certificate. OpenSSL reports only the last problem of a chain, so dates and self-signature are
 * checked here as well.
 */
function problemsOf(certificate: X509Certificate, code: string | undefined, isForHost: boolean): CertificateProblem[] {
  const now = Date.now();
  const isSelfSigned = certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
  const found = new Set<CertificateProblem>();
  if (Date.parse(certificate.validTo) < now) found.add('expired');
  if (Date.parse(certificate.validFrom) > now) found.add('not_yet_valid');
  if (!isForHost) found.add('wrong_host');
  if (code !== undefined && isSelfSigned) found.add('self_signed');
  if (code !== undefined) found.add(chainProblems[code] ?? 'invalid');
  return [...found];
}

function chainOf(leaf: X509Certificate): X509Certificate[] {
  const chain = [leaf];
  for (let next = leaf.issuerCertificate; next !== undefined; next = next.issuerCertificate) chain.push(next);
  return chain;
}

/** Joins a name with one part a line to one line. */
function oneLine(name: string | undefined): string {
  return (name ?? '').trim().split('\n').join(', ');
}

function isoTime(text: string): string {
  return new Date(text).toISOString();
}
