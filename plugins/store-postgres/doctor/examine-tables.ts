import type pg from 'pg';
import { type Finding, messageOf } from '../../../kernel/index.ts';
import { readTableVersion, tableVersion } from '../schema.ts';

const check = 'Store tables';

/** Reports the version of the tables. The store itself creates or migrates them when it is first used. */
export async function examineTables(client: pg.Client): Promise<Finding> {
  try {
    const version = await readTableVersion(client);
    if (version === tableVersion) return { check, state: 'ok', message: `version ${version}, that of this program` };
    if (version > tableVersion) {
      const message = `version ${version}, but this program supports only versions up to ${tableVersion}`;
      return { check, state: 'problem', message, hint: 'Install a newer version of this program, or name another database.' };
    }
    const what = version === 0 ? 'there are none yet' : `version ${version}`;
    return { check, state: 'ok', message: `${what}; the first use brings them to version ${tableVersion}` };
  } catch (error) {
    return { check, state: 'problem', message: messageOf(error), hint: 'Let the role read and write the tables toolkit_*.' };
  }
}
