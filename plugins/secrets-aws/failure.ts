import { type ErrorDetails, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import { outage, refusal } from '../shared/remote-secrets/store-failure.ts';

/** The members that errors of the SDK and of Node share. All may be missing. */
interface SdkError {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string };
}

/** Node's error codes for a connection that fails or breaks. A refused certificate is not among them. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENETRESET',
]);

/** Errors by which AWS limits the rate of requests, some of them with HTTP 400. */
const throttlingPattern = /^(Throttl|TooManyRequests|LimitExceeded|RequestLimitExceeded|SlowDown|RequestThrottled|PriorRequestNotComplete)/;

const checkCredentials =
  'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN or the profile, the region, and the clock of this machine';
const renew = 'Renew them, such as with "aws sso login", and try again';

/** Maps an error name to the problem and the advice. */
const refusals: Readonly<Record<string, readonly [what: string, advice: string]>> = {
  ResourceNotFoundException: ['does not exist', 'Create it, or correct secretId or region'],
  AccessDeniedException: [
    'may not be read with these credentials',
    'Allow them the IAM action secretsmanager:GetSecretValue on it, and kms:Decrypt where it has a key of its own',
  ],
  AccessDenied: ['could not be asked for: AWS refuses the role', 'Check the trust policy of the role and sts:AssumeRole'],
  DecryptionFailure: [
    'cannot be decrypted',
    'Allow kms:Decrypt on its key beside secretsmanager:GetSecretValue, and check that the key is enabled',
  ],
  InvalidRequestException: ['cannot be read in its present state', 'It may be marked for deletion: restore it, or correct secretId'],
  InvalidParameterException: ['is refused as a name', 'Correct secretId: a name or a full ARN'],
  ValidationException: ['is refused as a name', 'Correct secretId: a name or a full ARN'],
  ExpiredTokenException: ['could not be read: the AWS credentials have expired', renew],
  ExpiredToken: ['could not be read: the AWS credentials have expired', renew],
  TokenProviderError: ['could not be read: there is no valid AWS login', renew],
  CredentialsProviderError: [
    'could not be read: there are no AWS credentials',
    'Set AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give this machine a role that allows secretsmanager:GetSecretValue',
  ],
};

/**
 * Returns an error of the SDK as SECRET_STORE_UNAVAILABLE, retryable when AWS cannot be reached at the moment. The SDK's
 * message is left out, because it may quote the answer or the signed request; except for a denied access, where it says who
 * was denied.
 */
export function toStoreError(error: unknown, label: string, mask: (text: string) => string): ToolkitError {
  if (ToolkitError.is(error)) return error;
  const { name = 'Error', code, $metadata: { httpStatusCode: status, requestId } = {} } = error as SdkError;
  const details: ErrorDetails = {
    awsError: excerpt(name, 100),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId: excerpt(requestId, 100) }),
  };
  const temporary = (problem: string, advice: string): ToolkitError => outage(`${label} ${problem}. ${advice}.`, details);
  const permanent = (problem: string, advice: string, detail = ''): ToolkitError =>
    refusal(`${label} ${problem}. ${advice}.${detail}`, details);

  if (code !== undefined && connectionCodes.has(code)) {
    return temporary(`cannot be read: no connection (${code})`, 'Check the network, the region and the endpoint');
  }
  if (name === 'TimeoutError') return temporary('cannot be read: AWS does not answer', 'Check the network, or raise timeoutMs');
  if (throttlingPattern.test(name) || status === 429)
    return temporary('cannot be read: AWS limits the requests', 'Wait a little, or raise ttlMs');
  if (status !== undefined && status >= 500) return temporary(`cannot be read: AWS failed with HTTP ${status}`, 'Try again later');

  const known = Object.hasOwn(refusals, name) ? refusals[name] : undefined;
  if (known !== undefined) {
    const [problem, advice] = known;
    const detail = name === 'AccessDeniedException' ? ` AWS says: ${excerpt(mask(messageOf(error)))}` : '';
    return permanent(`${problem} (${name})`, advice, detail);
  }
  if (/^Region\b/.test(messageOf(error)) && status === undefined) {
    return permanent('could not be asked for: there is no usable AWS region', 'Set the option region, or AWS_REGION');
  }
  if (code !== undefined) {
    const advice = 'Check the endpoint and its certificate; NODE_EXTRA_CA_CERTS names further authorities to trust';
    return permanent(`cannot be read: the connection failed (${excerpt(code, 60)})`, advice);
  }
  if (/Client|Signature|Token|AccessKey|Auth|TimeTooSkewed|Request.*Expired/.test(name)) {
    return permanent(`could not be read: AWS does not accept the credentials (${excerpt(name, 60)})`, checkCredentials);
  }
  const received = status === undefined ? excerpt(name, 60) : `${excerpt(name, 60)}, HTTP ${status}`;
  return permanent(`could not be read: no answer of Secrets Manager (${received})`, 'Check the region and the endpoint');
}
