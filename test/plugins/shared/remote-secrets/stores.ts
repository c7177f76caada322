import type { Plugin } from '../../../../kernel/index.ts';
import { secretsAws } from '../../../../plugins/secrets-aws/index.ts';
import { secretsVault } from '../../../../plugins/secrets-vault/index.ts';
import type { RemoteOptions } from '../../../../plugins/shared/remote-secrets/remote-options.ts';
import { awsEnvironment, shop as awsShop } from '../../secrets-aws/asking.ts';
import { shop as vaultShop } from '../../secrets-vault/asking.ts';
import type { Asker } from './asker.ts';

type Values = Readonly<Record<string, unknown>>;

/** A store on loopback, and the plugin that asks it. */
export interface StartedStore {
  readonly asked: Asker;
  readonly server: {
    readonly requests: readonly unknown[];
    /** Resolves when this many requests have come. */
    received(count: number): Promise<void>;
    /** Answers what is held, and holds no more. */
    release(): void;
  };
  write(values: Values): void;
  /** Changes the behaviour of the store: it drops connections, holds answers until `release`, refuses, or works. */
  become(state: 'dropping' | 'holding' | 'refusing' | 'well'): void;
}

export interface StoreCase {
  readonly name: string;
  /** How notices begin. */
  readonly label: string;
  /** Message of a read after the kernel has closed. */
  readonly closing: string;
  /** How the failure of a read begins that took longer than 1000 ms, without the place that the store alone knows. */
  readonly late: RegExp;
  /** Preparation of every test of the block. */
  readonly prepare: () => void;
  readonly plugin: (options: RemoteOptions) => Plugin;
  /** @default the value `value-of-shop-token` for SHOP_TOKEN */
  readonly start: (values?: Values, options?: RemoteOptions) => Promise<StartedStore>;
}

/** Every store that `RemoteSecrets` serves: what is said here of one is said of all. */
export const stores: readonly StoreCase[] = [
  {
    name: 'secrets-vault',
    label: 'Vault',
    closing: 'The read of Vault was ended because the kernel is closing.',
    late: /^Vault at http:\/\/127\.0\.0\.1:\d+ did not answer for "secret\/data\/toolkit" within 1000 ms\. Check VAULT_ADDR and the network, or raise timeoutMs\./,
    prepare: () => {},
    plugin: secretsVault,
    start: async (values, options) => {
      const { server, asked } = await vaultShop(values, options);
      const faults = { dropping: { kind: 'drop' }, holding: { kind: 'hold' }, refusing: { kind: 'sealed' }, well: undefined } as const;
      return {
        server,
        asked,
        write: (given) => server.mounts.write('secret/data/toolkit', given),
        become: (state) => {
          server.fault = faults[state];
        },
      };
    },
  },
  {
    name: 'secrets-aws',
    label: 'The AWS secret "toolkit/credentials"',
    closing: 'The AWS secret "toolkit/credentials" is not read to the end: the kernel is closing.',
    late: /^The AWS secret "toolkit\/credentials" could not be read within 1000 ms\. Check the network, the region and the endpoint, or raise timeoutMs\./,
    prepare: awsEnvironment,
    plugin: secretsAws,
    start: async (values, options) => {
      const { server, asked } = await awsShop(values, options);
      const refusal = { kind: 'error', name: 'AccessDeniedException' } as const;
      const faults = { dropping: { kind: 'drop' }, holding: { kind: 'hold' }, refusing: refusal, well: undefined } as const;
      return {
        server,
        asked,
        write: (given) => {
          server.secrets = { 'toolkit/credentials': given };
        },
        become: (state) => {
          server.fault = faults[state];
        },
      };
    },
  },
];
