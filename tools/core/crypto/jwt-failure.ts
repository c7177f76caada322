import type { errors } from 'jose';
import { excerpt } from '../../../kernel/index.ts';
import { isoTime } from './jwt-decode.ts';

interface ExpectedClaims {
  readonly algorithms: readonly string[];
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly clockToleranceSeconds: number;
}

/** Explains in a sentence why a token is invalid. The sentence shows no part of the token but its times. Undefined for any other error. */
export function reasonOf(error: unknown, expected: ExpectedClaims): string | undefined {
  const failure = error as errors.AnyJOSEError;
  switch (failure.code) {
    case 'ERR_JWT_EXPIRED':
      return `The token ${whenOf('expired', failure.payload.exp)} (${expected.clockToleranceSeconds} seconds of tolerance are given).`;
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return claimReason(failure, expected);
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return 'The signature does not fit: the token was changed, or signed with another key.';
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return `The algorithm (alg) of the token is not one of ${expected.algorithms.join(', ')}.`;
    case 'ERR_JWKS_NO_MATCHING_KEY':
      return 'No key of the key set has the key id (kid) and the algorithm of the token.';
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return 'Several keys of the key set match the token, and none of them can be used.';
    case 'ERR_JOSE_NOT_SUPPORTED':
      return 'The token needs an extension or algorithm (crit, alg) that is not known here.';
    case 'ERR_JWS_INVALID':
    case 'ERR_JWT_INVALID':
      return 'The header or the payload of the token breaks the rules of RFC 7515 or RFC 7519.';
    default:
      return undefined;
  }
}

function claimReason({ claim, reason, payload }: errors.JWTClaimValidationFailed, { issuer, audience }: ExpectedClaims): string {
  if (reason === 'missing') return `The token has no "${claim}" claim, which was asked for.`;
  if (claim === 'nbf' && reason === 'check_failed') return `The token ${whenOf('is not valid before', payload.nbf)}.`;
  if (claim === 'iss') return `The issuer (iss) of the token is not "${excerpt(issuer ?? '')}".`;
  if (claim === 'aud') return `The token is not meant for the audience (aud) "${excerpt(audience ?? '')}".`;
  return `The "${claim}" claim of the token is not what RFC 7519 allows.`;
}

function whenOf(what: string, epochSeconds: number | undefined): string {
  const time = epochSeconds === undefined ? null : isoTime(epochSeconds * 1000);
  return time === null ? `${what} at a time out of range` : `${what} ${time}`;
}
