import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { RemoteSecrets } from '../shared/remote-secrets/remote-secrets.ts';
import { checkEndpoint } from './endpoint.ts';
import { AwsReader } from './reader.ts';

/**
 * Secrets from one entry of AWS Secrets Manager, a JSON object of names and values: `NAME` first, then `TOOLKIT_NAME`. Credentials come
 * from the standard chain of the AWS SDK. One read serves all names for `ttlMs`. When AWS cannot be reached, the values of the last read
 * serve on; when it refuses, they do not. Needs the package `@aws-sdk/client-secrets-manager`.
 */
export const secretsAws = definePlugin({
  name: 'secrets-aws',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Name or ARN of the entry. @default 'toolkit/credentials' */
      secretId: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
      /** Such as `eu-central-1`. @default what the SDK finds: AWS_REGION, else the profile */
      region: Type.Optional(Type.String({ minLength: 1 })),
      /** URL to ask in place of the public endpoint of the region. @default what the SDK finds: AWS_ENDPOINT_URL_SECRETS_MANAGER, else the region's */
      endpoint: Type.Optional(Type.String({ minLength: 1 })),
      /** How long values, and the absence of a value, are remembered, in milliseconds. At least 1000. @default 300000 */
      ttlMs: Type.Optional(Type.Integer({ minimum: 1000 })),
      /** Limit of one read, in milliseconds: finding credentials and the repetitions of the SDK included. @default 5000 */
      timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      /** What a failure does: `fail` ends the call, `skip` warns and asks the next resolver. @default 'fail' */
      onError: Type.Optional(Type.Enum(['fail', 'skip'])),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { secretId = 'toolkit/credentials', region, endpoint, ttlMs = 300_000, timeoutMs = 5000, onError = 'fail' }) {
    if (endpoint !== undefined) checkEndpoint(endpoint, kernel.logger);
    const reader = new AwsReader({ secretId, region, endpoint, mask: (text) => kernel.kernel.mask(text) });
    const secrets = new RemoteSecrets({
      label: reader.label,
      ttlMs,
      timeoutMs,
      onError,
      read: (signal) => reader.read(signal),
      adviceWhenLate: () => reader.adviceWhenLate(),
    });
    kernel.hooks.resolveSecrets.tapPromise('secrets-aws', (sink, context) => secrets.resolve(sink, context));
    kernel.hooks.dispose.tap('secrets-aws', () => {
      secrets.close();
      reader.close();
    });
  },
});
