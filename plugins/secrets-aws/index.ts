import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { remoteOptions } from '../shared/remote-secrets/remote-options.ts';
import { RemoteSecrets } from '../shared/remote-secrets/remote-secrets.ts';
import { checkEndpoint } from './endpoint.ts';
import { AwsReader } from './reader.ts';

/**
 * Resolves secrets from one entry of AWS Secrets Manager, a JSON object of names and values: `NAME` first, then
 * `TOOLKIT_NAME`. Credentials come from the standard chain of the AWS SDK. One read serves all names for `ttlMs`. When AWS
 * cannot be reached, the values of the last read stay in use; when it refuses, they do not. Needs the package
 * `@aws-sdk/client-secrets-manager`.
 */
export const secretsAws = definePlugin({
  name: 'secrets-aws',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Name or ARN of the entry. @default 'toolkit/credentials' */
      secretId: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
      /** The AWS region, such as `eu-central-1`. @default what the SDK finds: AWS_REGION, else the profile */
      region: Type.Optional(Type.String({ minLength: 1 })),
      /**
       * URL that replaces the public endpoint of the region.
       * @default what the SDK finds: AWS_ENDPOINT_URL_SECRETS_MANAGER, else the region's
       */
      endpoint: Type.Optional(Type.String({ minLength: 1 })),
      ...remoteOptions,
    },
    { additionalProperties: false },
  ),
  apply(kernel, { secretId = 'toolkit/credentials', region, endpoint, ...remote }) {
    if (endpoint !== undefined) checkEndpoint(endpoint, kernel.logger);
    const reader = new AwsReader({ secretId, region, endpoint, mask: (text) => kernel.kernel.mask(text) });
    const secrets = new RemoteSecrets(reader, remote);
    kernel.hooks.resolveSecrets.tapPromise('secrets-aws', (sink, context) => secrets.resolve(sink, context));
    kernel.hooks.dispose.tap('secrets-aws', () => {
      secrets.close();
      reader.close();
    });
  },
});
