import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { excerpt, type ToolkitError } from '../../kernel/index.ts';
import type { RemoteStore, StoredValues } from '../shared/remote-secrets/remote-store.ts';
import { outage } from '../shared/remote-secrets/store-failure.ts';
import { toStoreError } from './failure.ts';
import { loadSdk } from './sdk.ts';
import { valuesIn } from './values.ts';

export interface ReaderOptions {
  readonly secretId: string;
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
  /** Masks known secrets. */
  mask(text: string): string;
}

/** Without a logger the SDK writes to the console. */
const silentLogger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Reads one entry of Secrets Manager with the SDK, which finds credentials and region, and retries. */
export class AwsReader implements RemoteStore {
  readonly label: string;
  readonly closingMessage: string;
  readonly #options: ReaderOptions;
  #client: SecretsManagerClient | undefined;
  #isRequestSent = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.label = `The AWS secret "${excerpt(options.secretId)}"`;
    this.closingMessage = `${this.label} is not read to the end: the kernel is closing.`;
  }

  /** Throws SECRET_STORE_UNAVAILABLE, retryable when AWS cannot be reached at the moment, and DEPENDENCY_MISSING. */
  async read(signal: AbortSignal): Promise<StoredValues> {
    this.#isRequestSent = false;
    const { GetSecretValueCommand, SecretsManagerClient } = await loadSdk();
    signal.throwIfAborted();
    const { secretId, region, endpoint, mask } = this.#options;
    this.#client ??= new SecretsManagerClient({
      ...(region === undefined ? {} : { region }),
      ...(endpoint === undefined ? {} : { endpoint }),
      logger: silentLogger,
    });
    const client = this.#client;
    // The search for credentials ignores the signal. The next read must not wait for it again.
    const drop = (): void => this.#drop(client);
    signal.addEventListener('abort', drop);
    let label = this.label;
    try {
      label = `${this.label} in ${await client.config.region()}`;
      await client.config.credentials();
      this.#isRequestSent = true;
      const answer = await client.send(new GetSecretValueCommand({ SecretId: secretId }), { abortSignal: signal });
      return valuesIn(answer, label);
    } catch (error) {
      // A new client finds renewed credentials.
      drop();
      throw toStoreError(error, label, mask);
    } finally {
      signal.removeEventListener('abort', drop);
    }
  }

  createTimeoutError(timeoutMs: number): ToolkitError {
    const advice = this.#isRequestSent
      ? 'Check the network, the region and the endpoint, or raise timeoutMs.'
      : 'No AWS credentials were found so far: set AWS_PROFILE or AWS_ACCESS_KEY_ID, or give this machine a role. AWS_EC2_METADATA_DISABLED=true ends the search on machines that are not of AWS.';
    return outage(`${this.label} could not be read within ${timeoutMs} ms. ${advice}`, { timeoutMs });
  }

  close(): void {
    this.#client?.destroy();
    this.#client = undefined;
  }

  #drop(client: SecretsManagerClient): void {
    client.destroy();
    if (this.#client === client) this.#client = undefined;
  }
}
