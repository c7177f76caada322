import { hash } from 'node:crypto';
import Type from 'typebox';
import type { Skill } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import { listPage } from '../catalog/list-page.ts';
import { skillFiles, skillUri } from '../catalog/skill-resources.ts';
import type { Revision } from '../revisions.ts';
import { ListParams, type Method, method, paramsOf, uncached } from './method.ts';

/** Capability for listing skills as skills (SEP-2640), as servers declare it. */
export const skillsCapability = { 'io.modelcontextprotocol/skills': {} } as const;

/** Lists and describes skills. Their files are resources. */
export const skillMethods: Readonly<Record<string, Method>> = {
  'skills/list': method({
    params: ListParams,
    isIn: withoutSessions,
    caching: uncached,
    async answer({ catalog, pageSize }, { cursor }) {
      const { page, nextCursor } = listPage(catalog.skills, skillUri, { cursor, pageSize });
      return { skills: await Promise.all(page.map(entryOf)), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
  }),
  'skills/get': method({
    params: paramsOf({ uri: Type.String() }),
    isIn: withoutSessions,
    caching: uncached,
    async answer({ catalog }, { uri }) {
      const skill = catalog.skills.find((one) => skillUri(one) === uri);
      if (skill === undefined)
        throw new RpcError(errorCodes.invalidParams, `There is no skill "${uri.slice(0, 100)}". skills/list shows what there is.`, { uri });
      return { skill: await entryOf(skill) };
    },
  }),
};

function withoutSessions({ hasSessions }: Revision): boolean {
  return !hasSessions;
}

async function entryOf(skill: Skill): Promise<object> {
  const { text, origin: _origin, ...frontmatter } = skill;
  const own = { uri: skillUri(skill), ...fingerprint(Buffer.from(text, 'utf8')) };
  const others = (await skillFiles(skill)).map(({ uri, bytes }) => ({ uri, ...fingerprint(bytes) }));
  return { uri: own.uri, frontmatter, resources: [own, ...others] };
}

function fingerprint(bytes: Uint8Array): { readonly digest: string; readonly size: number } {
  return { digest: `sha256:${hash('sha256', bytes, 'hex')}`, size: bytes.length };
}
