import path from 'node:path';
import { expect } from 'chai';
import { writeFiles } from '../../support/temporary.ts';
import type { Attack } from './attack.ts';
import type { Answer, AttackServer } from './attack-server.ts';

/** An attack that puts another thing in the place of the one that a person is asked about. */
export interface Swap extends Pick<Attack, 'id' | 'subject' | 'attempt' | 'before' | 'modes' | 'transports'> {
  /** A folder of the attack's own below `things/`, and the files in it (path to text). */
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  readonly prepare?: (folder: string) => Promise<unknown>;
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Done while the person thinks. */
  swap(folder: string, server: AttackServer): Promise<unknown>;
  /** The thing of which the person must hear that it changed. */
  readonly changed: RegExp;
  /** Expects that the swapped thing was not used. */
  readonly unharmed?: (folder: string) => Promise<unknown>;
}

/** True for a question that is put once more. */
export const isAgain = (message: string): boolean => message.startsWith('Your answer is void');

/** A person who says yes to what is shown first, and no when asked once more; the swap happens while the first question is open. */
export function attackOf({ folder: name, files, prepare, tool, parameters, swap, changed, unharmed, ...attack }: Swap): Attack {
  return {
    ...attack,
    run: async (server) => {
      const folder = path.join(server.cwd, 'things', name);
      await writeFiles(folder, files);
      await prepare?.(folder);
      const questions: string[] = [];
      const answer: Answer = async ({ params: { message } }) => {
        if (questions.push(message) === 1) await swap(folder, server);
        return { action: 'accept', content: { approve: !isAgain(message) } };
      };
      server.answer(answer);
      const result = await server.callApproved(tool, parameters);
      await unharmed?.(folder);
      expect(result, result.text).to.include({ isError: true, code: 'APPROVAL_DENIED' });
      expect(questions.filter(isAgain), questions.join('\n')).to.have.lengthOf(1);
      expect(questions.at(-1)).to.match(changed);
    },
  };
}
