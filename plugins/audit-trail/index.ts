import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { apiVersion, definePlugin, deny, InFlight, type Tool, ToolkitError } from '../../kernel/index.ts';
import { callRecord, intentRecord, refusalRecord } from './call-record.ts';
import { CallTextCache } from './call-texts.ts';
import { auditVerifyCommand } from './command.ts';
import { refuseOtherThanFolder, TrailFolder, type TrailFolderOptions } from './folder/trail-folder.ts';
import { type AuditTrailOptions, AuditTrailOptionsSchema } from './options.ts';
import { Trail } from './trail.ts';
import { problemOf } from './trail-error.ts';
import { refuseOtherThanFile } from './trail-file.ts';
import { singleFile, type TrailPlace } from './trail-place.ts';

export type { AuditTrailOptions } from './options.ts';

/**
 * One record for each call that ended, refusals and unknown tools included, as a line of JSON in a file that only grows. Each record has
 * the hash of the one before it, over rotations and restarts; `toolkit audit verify` follows that chain.
 *
 * What the chain proves. Without `key`: that nobody changed, removed, inserted or moved records without computing every hash after that
 * place anew; somebody who can write the files can do that. With `key`: that nobody without the key did. `<path>.head` names the last record,
 * so that records cut off at the end are missed. Somebody who can write the files can remove it, which `audit verify` notes: keep the head
 * that it prints elsewhere, and give it to a later run as `--head`.
 *
 * What "closed" promises. Before a call runs, the file must be there as it was left, and every record of an earlier turn of the event loop must
 * be in it; else calls are refused (POLICY_DENIED) until that is so again. That a disk is full shows only when a record does not fit: the calls that run at that
 * moment cannot be taken back. Their records wait in memory and are written first when writing works again; the log names each of them at
 * once, and is all there is should the process end before. The record of a call is written when it has ended, before its caller gets the
 * answer; a call of a tool whose risk is not low has one before it runs as well (`event: intent`), which stays alone when the process is
 * killed meanwhile: `audit verify` lists those.
 *
 * Who waits for whom. Where the host holds the answers of calls that end in one turn (MCP), their records share one write, after which the answers
 * leave; the record that a call has before it runs takes those that are held along. Any other record is written at once, in the turn of the event
 * loop: the system takes it in microseconds, and a call that need not wait for it costs less than one that does. Where the last write took over half a millisecond, calls that come to the same point in one turn share
 * one write at the end of that turn. Only a disk that was slow, and `fsync`, are waited for beside the loop. In one turn calls share a look at the file.
 */
export const auditTrail = definePlugin({
  name: 'audit-trail',
  apiVersion,
  optionsSchema: AuditTrailOptionsSchema,
  commands: [auditVerifyCommand],
  async apply(api, options) {
    refuseForgottenKey(options);
    if (options.key !== undefined) api.maskAlso('audit-trail key', options.key);
    const { onFailure = 'closed', parameters = 'masked' } = options;
    const file = path.resolve(api.cwd, options.path);
    // With its rotated files and its lock.
    for (const pattern of [file, `${file}.*`]) api.extend.controlFiles(pattern, { what: 'the audit trail' });
    const key = options.key === undefined ? {} : { key: options.key };
    const trail = new Trail(
      {
        path: file,
        place: await placeOf(options.path, file, { ...key, logger: api.logger }),
        maxBytes: options.maxBytes ?? 50 * 1024 * 1024,
        keep: options.keep ?? 10,
        syncsEach: options.fsync === 'each',
        onFailure,
        ...key,
      },
      api.logger,
    );
    const running = new InFlight<string, true>();
    const texts = new CallTextCache();
    const timeOf = timeTexts();
    const mask = <T>(value: T): T => api.kernel.mask(value);
    const hashes = new WeakMap<Tool, string>();
    const hashOf = (tool: Tool): string => {
      const known = hashes.get(tool);
      if (known !== undefined) return known;
      const { hash } = tool;
      hashes.set(tool, hash);
      return hash;
    };

    // Before the transports start. With "open", the log has the failure.
    api.hooks.serve.tapPromise({ name: 'audit-trail', stage: -1000 }, () =>
      trail.ready().catch((error: unknown) => {
        if (onFailure === 'closed') throw error;
      }),
    );
    // After every other plugin, near to the execution.
    api.hooks.beforeExecute.tapPromise({ name: 'audit-trail', stage: 1000 }, (draft) => {
      if (onFailure === 'open' || draft.verdict.effect === 'deny' || trail.isReady()) return undefined;
      return whyUnwritable(trail.ready()).then((unwritable) =>
        unwritable === undefined ? undefined : deny(draft, { kind: 'audit', message: unwritable }),
      );
    });
    // First, because the tap of any plugin may be the one with the effect.
    api.hooks.execute.for('*').tapPromise({ name: 'audit-trail', stage: -1000 }, (call, { mask }) => {
      const { id, tool, verdict } = call;
      const intent =
        tool.risk === 'low'
          ? undefined
          : intentRecord(call, { texts, parameters, time: timeOf(Date.now()), mask, definitionHash: hashOf(tool) });
      // A person may have taken minutes to approve.
      const isChecked = intent !== undefined || (onFailure === 'closed' && verdict.effect === 'ask');
      const written = !isChecked ? undefined : intent === undefined ? trail.ready() : trail.intend(intent);
      if (written === undefined) return void running.set(id, true);
      return whyUnwritable(written).then((unwritable) => {
        if (unwritable !== undefined && onFailure === 'closed')
          throw new ToolkitError('POLICY_DENIED', `"${tool.name}" is refused: ${unwritable}`);
        running.set(id, true);
        return undefined;
      });
    });
    // First, so that no plugin that hangs keeps the record from being written.
    api.hooks.settled.tapPromise({ name: 'audit-trail', stage: -1000 }, (end) => {
      const executed = running.delete(end.id);
      const body = callRecord(end, {
        texts,
        parameters,
        executed,
        time: timeOf(Date.now()),
        mask,
        definitionHash: end.tool === undefined ? undefined : hashOf(end.tool),
      });
      return trail.append(body, { executed, isHeld: end.isHeld });
    });
    api.extend.refusals((refusal) => void trail.append(refusalRecord(refusal, timeOf(Date.now())), { executed: false }));
    api.extend.beforeAnswers(() => trail.writeHeld());
    api.hooks.dispose.tapPromise('audit-trail', async () => {
      // Calls that the kernel ended just now are about to settle.
      await setImmediate();
      await trail.close();
    });
  },
});

/** A folder where the path ends with `/` or names one, else a file. */
async function placeOf(given: string, file: string, options: TrailFolderOptions): Promise<TrailPlace> {
  const isFolder = given.endsWith('/') || given.endsWith(path.sep) || (await lstat(file).catch(() => undefined))?.isDirectory() === true;
  await (isFolder ? refuseOtherThanFolder(file) : refuseOtherThanFile(file));
  return isFolder ? new TrailFolder(file, options) : singleFile(file);
}

async function whyUnwritable(written: Promise<void>): Promise<string | undefined> {
  try {
    await written;
    return undefined;
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return `the audit trail cannot be written (${problemOf(error)}), and without a record no call runs`;
  }
}

/** RFC 3339. Calls of one millisecond share the text, which costs as much as writing the record. */
function timeTexts(): (ms: number) => string {
  let last = { ms: Number.NaN, text: '' };
  return (ms) => {
    if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
    return last.text;
  };
}

/** `key: process.env.AUDIT_KEY` without that variable would make a trail without a key, and nobody would notice. */
function refuseForgottenKey(options: AuditTrailOptions): void {
  if (!Object.hasOwn(options, 'key') || options.key !== undefined) return;
  throw new ToolkitError(
    'PLUGIN_INVALID',
    'The options of plugin "audit-trail" are wrong: key expected text of at least 16 characters, received nothing. Set the variable that it comes from, or leave the option out.',
    { plugin: 'audit-trail' },
  );
}
