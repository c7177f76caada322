import { expect } from 'chai';
import { ControlFiles } from '../../../kernel/files/control-files.ts';
import type { ControlFileRule } from '../../../kernel/index.ts';
import { registerUnreadable } from '../../../plugins/confine-paths/credential-files.ts';

function named(): ControlFiles {
  const rules: ControlFileRule[] = [];
  const controlFiles = (pattern: string, { what, read = true }: { what: string; read?: boolean }): void =>
    void rules.push({ pattern, what, read, plugin: 'confine-paths' });
  registerUnreadable({ extend: { controlFiles } } as unknown as Parameters<typeof registerUnreadable>[0]);
  return new ControlFiles(rules);
}

const digits = '0123456789abcdef'.repeat(4);

const unread = [
  ...['.env', '.env.local', '.ENV', '.env~', '.env.swp', '.env-prod', '.env_old', '#.env#', '.#.env', '.envrc', '.envrc.local', '.envrc~'],
  ...[
    'env.local',
    'web.env.local',
    '.dev.vars',
    '.netrc',
    '_netrc',
    '.npmrc',
    '.pypirc',
    '.git-credentials',
    '.pgpass',
    '.my.cnf',
    '.htpasswd',
  ],
  ...['.aws/credentials', '.aws/sso/cache/a.json', '.docker/config.json', '.kube/config', '.cargo/credentials.toml', '.m2/settings.xml'],
  ...['.config/gcloud/application_default_credentials.json', '.config/gh/hosts.yml', '.vault-token', '.git/credentials'],
  ...['.ssh/id_rsa', 'id_ed25519', 'id_ed25519_work', 'privkey.pem', 'localhost-key.pem', 'server.key', 'a.p12', 'a.kdbx', '.gnupg/x'],
  ...[
    `.git/objects/${digits.slice(0, 2)}/${digits.slice(0, 38)}`,
    '.git/objects/info/packs',
    '.git/lfs/objects/a',
    '.git/rr-cache/a/preimage',
  ],
  ...['.git/modules/a/b/objects/x', '.git/worktrees/w/rebase-merge/patch', '.git/rebase-apply/0001', '.GIT/Objects/x'],
  ...[`store.git/objects/ab/${digits.slice(0, 38)}`, `elsewhere/ab/${digits.slice(0, 62)}`, `lfs/objects/ab/cd/${digits}`],
  ...[`x/pack-${digits.slice(0, 40)}.pack`, `pack-${digits}.idx`, 'store/objects/pack/tmp_pack_x1y2', 'store/objects/info/alternates'],
];

const readable = [
  ...['.env.example', '.env.sample', '.env.template', '.env.local.example', '.env-example', '.envrc.example', '.environment', 'env.ts'],
  ...['env.d.ts', 'environment.local', 'my.env.ts', 'src/env.local.ts', 'npmrc.md', '.npmrc.md', '.netrc.txt', 'netrc.py', '.yarnrc.yml'],
  ...['credentials', 'credentials.ts', 'aws/credentials.md', '.aws/config', 'config.json', 'docker/config.json', '.kube/notes', 'config'],
  ...['id_rsa.pub', 'id_ed25519.pub', 'id_ed25519_work.pub', 'cert.pem', 'ca.pem', 'slides.key'],
  ...['.git/config', '.git/HEAD', '.git/refs/heads/main', '.git/logs/HEAD', '.git/hooks/pre-commit', 'store.git/HEAD', '.github/objects/a'],
  ...[
    'src/objects/tree.ts',
    'lib/lfs/index.js',
    `content/ab/${digits.slice(0, 30)}`,
    `cache/${digits.slice(0, 40)}`,
    'ab/cd.ts',
    'pack-1.pack',
  ],
  ...['objects/pack/model.obj', 'pack-files.idx', 'a.bundle'],
];

describe('files with credentials, and what git keeps', () => {
  const files = named();

  for (const file of unread)
    it(`are not read: ${file.replace(/[0-9a-f]{12,}/, '…')}`, () => {
      expect(files.find(`/srv/shop/${file}`, 'read'), file).to.be.an('object');
    });

  for (const file of readable)
    it(`are not taken for them: ${file.replace(/[0-9a-f]{12,}/, '…')}`, () => {
      expect(files.find(`/srv/shop/${file}`, 'read'), file).to.equal(undefined);
    });
});
