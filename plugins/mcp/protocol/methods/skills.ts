import { hash } from 'node:crypto';
import { describeValue, type Skill } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { listPage } from '../catalog/list-page.ts';
import { skillFiles, skillUri } from '../catalog/skill-resources.ts';
import type { Connection } from '../clients/connection.ts';
import { malformedRequest, ProtocolError } from '../protocol-error.ts';

type Params = Readonly<Record<string, unknown>>;

/** Capability for listing skills as skills (SEP-2640), as servers declare it. */
export const skillsCapability = { 'io.modelcontextprotocol/skills': {} } as const;

/** Cache rules of skills, in milliseconds: their files may change at any time. */
const caching = { ttlMs: 0, cacheScope: 'private' } as const;

/** Handlers of the requests about skills, by method. The files of a skill are resources. */
export const skillAnswers: Readonly<Record<string, (connection: Connection, params: Params) => Promise<object>>> = {
  'skills/list': async ({ catalog, pageSize }, { cursor }) => {
    if (cursor !== undefined && typeof cursor !== 'string') throw malformed('skills/list', 'cursor', 'a text', cursor);
    const { page, nextCursor } = listPage(catalog.skills, skillUri, { cursor, pageSize });
    return { skills: await Promise.all(page.map(entryOf)), ...(nextCursor === undefined ? {} : { nextCursor }), ...caching };
  },
  'skills/get': async ({ catalog }, { uri }) => {
    if (typeof uri !== 'string') throw malformed('skills/get', 'uri', 'a text', uri);
    const skill = catalog.skills.find((one) => skillUri(one) === uri);
    if (skill === undefined)
      throw new ProtocolError(errorCodes.invalidParams, `There is no skill "${uri.slice(0, 100)}". skills/list shows what there is.`, {
        uri,
      });
    return { skill: await entryOf(skill), ...caching };
  },
};

async function entryOf(skill: Skill): Promise<object> {
  const { text, origin: _origin, ...frontmatter } = skill;
  const own = { uri: skillUri(skill), ...fingerprint(Buffer.from(text, 'utf8')) };
  const others = (await skillFiles(skill)).map(({ uri, bytes }) => ({ uri, ...fingerprint(bytes) }));
  return { uri: own.uri, frontmatter, resources: [own, ...others] };
}

function fingerprint(bytes: Uint8Array): { readonly digest: string; readonly size: number } {
  return { digest: `sha256:${hash('sha256', bytes, 'hex')}`, size: bytes.length };
}

function malformed(method: string, member: string, expected: string, received: unknown): ProtocolError {
  return malformedRequest(method, [{ path: ['params', member], message: `expected ${expected}, received ${describeValue(received)}` }]);
}
