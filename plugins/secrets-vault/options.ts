import Type, { type Static } from 'typebox';
import { remoteOptions } from '../shared/remote-secrets/remote-options.ts';

const MountSchema = Type.Optional(Type.String({ minLength: 1 }));

export const VaultAuthSchema = Type.Union([
  Type.Object(
    {
      method: Type.Literal('token'),
      /**
       * The file with the token, such as the sink of a Vault agent. It is read again for every read.
       * @default VAULT_TOKEN, else `~/.vault-token`, where `vault login` leaves it
       */
      tokenPath: Type.Optional(Type.String({ minLength: 1 })),
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      method: Type.Literal('approle'),
      /** The id of the role. @default VAULT_ROLE_ID */
      roleId: Type.Optional(Type.String({ minLength: 1 })),
      /**
       * The secret id of the role. Prefer the variable, because many people can read a configuration file.
       * @default VAULT_SECRET_ID, else none, for roles without `bind_secret_id`
       */
      secretId: Type.Optional(Type.String({ minLength: 1 })),
      /** The mount of the auth method. @default 'approle' */
      mount: MountSchema,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      method: Type.Literal('kubernetes'),
      /** The role of the auth method, bound to the service account of the pod. */
      role: Type.String({ minLength: 1 }),
      /**
       * The file with the token of the service account. It is read again for every login.
       * @default '/var/run/secrets/kubernetes.io/serviceaccount/token'
       */
      jwtPath: Type.Optional(Type.String({ minLength: 1 })),
      /** The mount of the auth method. @default 'kubernetes' */
      mount: MountSchema,
    },
    { additionalProperties: false },
  ),
]);

/**
 * The options of the plugin. Variables are read when a secret is requested; an empty variable counts as not set. Relative
 * paths start at the folder of the configuration.
 */
export const VaultOptionsSchema = Type.Object(
  {
    /** The secret, as a path of the KV version 2 API: mount, `data`, name. Not percent-encoded. @default 'secret/data/toolkit' */
    secretPath: Type.Optional(Type.String({ minLength: 1 })),
    /** URL of the server, http or https. @default VAULT_ADDR */
    address: Type.Optional(Type.String({ minLength: 1 })),
    /** Namespace of Vault Enterprise, for the login and the read. @default VAULT_NAMESPACE */
    namespace: Type.Optional(Type.String({ minLength: 1 })),
    /** A PEM file with the certificates to trust in place of the usual authorities. @default VAULT_CACERT */
    caCert: Type.Optional(Type.String({ minLength: 1 })),
    /** The way to get a token. @default {method: 'token'} */
    auth: Type.Optional(VaultAuthSchema),
    ...remoteOptions,
    /** The environment variables. @default process.env */
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  { additionalProperties: false },
);

export type VaultOptions = Static<typeof VaultOptionsSchema>;
export type VaultAuth = Static<typeof VaultAuthSchema>;
export type Variables = Readonly<Record<string, string | undefined>>;
