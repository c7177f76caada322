import path from 'node:path';
import type { GitFolders } from './git-folder.ts';
import type { Setting } from './settings.ts';

type Pair = readonly [key: string, value: string];

/** Settings that stop git from running programs that a repository configures, and from starting processes of its own. */
const quiet: readonly Pair[] = [
  ['safe.bareRepository', 'explicit'],
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.askPass', ''],
  // git runs this command in a shell when it reads the refs of an alternate.
  ['core.alternateRefsCommand', ':'],
  ['diff.external', ''],
  ['log.showSignature', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['fetch.bundleURI', ''],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['pull.rebase', 'false'],
  ['merge.autoStash', 'false'],
  ['protocol.ext.allow', 'never'],
  ['http.saveCookies', 'false'],
  ['user.useConfigOnly', 'true'],
];

/** Settings that make the output independent of user preferences. */
const plain: readonly Pair[] = [
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
  ['i18n.commitEncoding', 'UTF-8'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  ['log.follow', 'false'],
  ['diff.algorithm', 'default'],
  ['diff.context', '3'],
  ['diff.interHunkContext', '0'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.mnemonicPrefix', 'false'],
  ['diff.noPrefix', 'false'],
  ['diff.srcPrefix', 'a/'],
  ['diff.dstPrefix', 'b/'],
  ['diff.orderFile', '/dev/null'],
  ['diff.relative', 'false'],
  ['diff.renames', 'true'],
  ['diff.submodule', 'short'],
  ['diff.suppressBlankEmpty', 'false'],
];

const always = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  LC_ALL: 'C.UTF-8',
};

/** Variables for tools that only read: no writes to the index, and no settings of the system. */
const reading = { GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' };

/** Variables for tools that use no network, not even to fetch the missing objects of a partial clone. */
const local = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' };

interface GitEnvironmentOptions {
  readonly repository: string;
  /** Fixed Git folders, even when `.git` is swapped later. @default git searches from `repository` */
  readonly folders?: GitFolders;
  readonly readsOnly: boolean;
  /** Variables that replace those of tools without network. */
  readonly network?: Readonly<Record<string, string>>;
  /** Settings that override all others, in this order. */
  readonly settings: readonly Setting[];
}

/** Returns the environment for git in an untrusted repository, in addition to the minimal one. */
export function gitEnvironment({
  repository,
  folders,
  readsOnly,
  network = local,
  settings,
}: GitEnvironmentOptions): Record<string, string> {
  const pairs = [...quiet, ...plain, ...settings.map(({ key, value }) => [key, value] as const)];
  return {
    ...always,
    ...(readsOnly ? reading : {}),
    ...network,
    // Stops the search at the folder itself: a repository that begins outside of the roots is not used.
    GIT_CEILING_DIRECTORIES: path.dirname(repository),
    GIT_WORK_TREE: repository,
    ...(folders === undefined ? {} : { GIT_DIR: folders.own }),
    ...(folders === undefined || folders.common === folders.own ? {} : { GIT_COMMON_DIR: folders.common }),
    GIT_CONFIG_COUNT: String(pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
