import type { PluginApi } from '../../kernel/index.ts';

/** Files that hold credentials by the convention of a program, with a description. Patterns as in `ControlFileRule`. */
interface CredentialFiles {
  readonly what: string;
  readonly patterns: readonly string[];
}

/** Returns a pattern of `count` hexadecimal digits. */
const hex = (count: number): string => '[0-9a-f]'.repeat(count);

/**
 * The files that tools do not read because a convention puts credentials there. This is a list of names, not a detection: a
 * file with another name that holds a password is read like any other. Names that mostly mean something harmless, such as
 * `*.pem` (certificates) or `*.key` (presentations), are not in it: store such keys outside of the roots. A plugin adds more
 * with `extend.controlFiles(name, { what, read: false })`.
 */
export const credentialFiles: readonly CredentialFiles[] = [
  {
    what: 'secrets',
    // Also the copies of `.env` that editors and people make.
    patterns: [
      '.env',
      '.env.*',
      '.env~',
      '.env-*',
      '.env_*',
      '#.env*#',
      '.#.env*',
      '*.env.local',
      'env.local',
      '.envrc',
      '.envrc.*',
      '.envrc~',
      '.dev.vars',
      '.dev.vars.*',
    ],
  },
  {
    what: 'credentials of a package manager',
    patterns: [
      '.npmrc',
      '.npmrc~',
      '.pypirc',
      '.cargo/credentials',
      '.cargo/credentials.toml',
      '.gem/credentials',
      '.bundle/config',
      '.m2/settings.xml',
      '.m2/settings-security.xml',
      '.gradle/gradle.properties',
      '.composer/auth.json',
    ],
  },
  {
    what: 'passwords for hosts',
    patterns: [
      '.netrc',
      '_netrc',
      '.netrc~',
      '.netrc.gpg',
      '.authinfo',
      '.authinfo.gpg',
      '.git-credentials',
      '.git/credentials',
      '.config/git/credentials',
      '.htpasswd',
      '.svn/auth',
    ],
  },
  { what: 'passwords of databases', patterns: ['.pgpass', 'pgpass.conf', '.my.cnf', '.mylogin.cnf'] },
  {
    what: 'credentials of a cloud',
    patterns: [
      '.aws/credentials',
      '.aws/sso',
      '.aws/cli/cache',
      '.azure/accesstokens.json',
      '.azure/msal_token_cache.*',
      '.azure/service_principal_entries.*',
      'gcloud/credentials.db',
      'gcloud/access_tokens.db',
      'gcloud/legacy_credentials',
      'application_default_credentials.json',
      '.s3cfg',
      '.boto',
      '.databrickscfg',
      'rclone/rclone.conf',
      'doctl/config.yaml',
    ],
  },
  {
    what: 'credentials of a platform',
    patterns: [
      '.docker/config.json',
      '.dockercfg',
      '.kube/config',
      'kubeconfig',
      '.vault-token',
      '.terraformrc',
      'terraform.rc',
      'credentials.tfrc.json',
      'gh/hosts.yml',
      '.config/hub',
      '.streamlit/secrets.toml',
      'config/master.key',
      'config/credentials/*.key',
    ],
  },
  {
    what: 'private keys',
    patterns: [
      'id_rsa',
      'id_rsa.*',
      'id_rsa_*',
      'id_dsa',
      'id_ecdsa',
      'id_ecdsa_*',
      'id_ed25519',
      'id_ed25519.*',
      'id_ed25519_*',
      'privkey.pem',
      'privkey*.pem',
      '*-key.pem',
      'server.key',
      'private.key',
      'tls.key',
      '*.ppk',
      '*.p12',
      '*.pfx',
      '*.jks',
      '*.keystore',
      '*.kdbx',
      '.gnupg',
      '.password-store',
    ],
  },
];

/** Exceptions from these patterns: files that are made to be read. */
const readable: readonly string[] = [
  ...['example', 'sample', 'template'].flatMap((kind) => [
    `.env.${kind}`,
    `.env.*.${kind}`,
    `.env-${kind}`,
    `.env_${kind}`,
    `.envrc.${kind}`,
    `.dev.vars.${kind}`,
  ]),
  'id_*.pub',
];

/**
 * The parts of a repository in which git stores content, of every commit, stash and submodule. By name below `.git`; below
 * that of any other repository (a bare one, one that a `.git` file leads to, an alternate) by the form that git gives to the
 * names of objects and packs.
 */
const gitContent: readonly string[] = [
  ...['objects', 'lfs', 'annex', 'rr-cache', 'rebase-apply', 'rebase-merge'].map((part) => `.git/**/${part}`),
  `${hex(2)}/${hex(38)}`,
  `${hex(2)}/${hex(62)}`,
  `${hex(2)}/${hex(2)}/${hex(64)}`,
  ...['pack', 'idx', 'rev', 'bitmap', 'mtimes', 'promisor'].flatMap((kind) => [`pack-${hex(40)}.${kind}`, `pack-${hex(64)}.${kind}`]),
  // Files of an interrupted git.
  'objects/**/tmp_*',
  'objects/pack/.tmp-*',
  'objects/info/alternates',
];

/** Registers the files that hold credentials, and the content that git stores, as control files that tools must not read. */
export function registerUnreadable({ extend }: Pick<PluginApi, 'extend'>): void {
  for (const { what, patterns } of credentialFiles) for (const pattern of patterns) extend.controlFiles(pattern, { what, read: false });
  for (const pattern of gitContent) extend.controlFiles(pattern, { what: 'content that git keeps, which git tools show', read: false });
  for (const pattern of readable) extend.controlFiles(`!${pattern}`, { what: 'no secrets' });
}
