import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { apiVersion, definePlugin, deny, InFlight, type Tool, ToolkitError } from '../../kernel/index.ts';
import { callTrail } from '../shared/calls/trail-fact.ts';
import { approvalListener, approvalRecord } from './approval-record.ts';
import { callRecord, intentRecord, refusalRecord } from './call-record.ts';
import { CallTextCache } from './call-texts.ts';
import { trailChecks } from './checks.ts';
import { auditVerifyCommand } from './command.ts';
import { refuseOtherThanFolder, TrailFolder, type TrailFolderOptions } from './folder/trail-folder.ts';
import { type AuditTrailOptions, AuditTrailOptionsSchema } from './options.ts';
import { TrailReader } from './reading/trail-reader.ts';
import { Trail } from './trail.ts';
import { problemOf } from './trail-error.ts';
import { refuseOtherThanFile } from './trail-file.ts';
import { singleFile, type TrailLocation } from './trail-location.ts';

export type { AuditTrailOptions } from './options.ts';

/**
 * Writes one record for each ended call, including refused ones and unknown tools: a line of JSON in an append-only file. Each record has the
 * hash of the one before it, across rotations and restarts. `toolkit audit verify` follows that chain.
 *
 * The chain proves, without `key`: to change, remove, insert or move a record, a writer must compute every later hash anew. Any program that
 * can write the files can do that. With `key`: only a program that has the key can. `<path>.head` names the last record, so that records cut
 * off at the end are noticed. A program that can write the files can remove the head, which `audit verify` notes: store the head that it
 * prints elsewhere, and pass it to a later run as `--head`.
 *
 * "closed" promises: before a call runs, the file must be unchanged since the last write, and must hold every record of an earlier turn of the
 * event loop. Otherwise calls are refused (POLICY_DENIED) until it does. A full disk is noticed only when a record does not fit: calls that run
 * at that moment cannot be undone. Their records wait in memory and are written first when writing works again. The log names each of them at
 * once; it is the only trace if the process ends before. The record of a call is written after the call has ended and before its caller gets
 * the answer. A call of a tool whose risk is not low has an intent record as well (`event: intent`), written before it runs. If the process is
 * killed meanwhile, that record stays alone, and `audit verify` lists the call as unfinished.
 *
 * An approval has one record for each event of its life (`event: approval`): asked, approved, refused, expired and so on. Where one cannot be written,
 * it waits in memory and is in the log. With "closed" an approved call runs only after the records of its approval are written.
 *
 * Writes are shared as follows. Where the host holds back the answers of calls that end in one turn of the event loop (MCP), their records
 * share one write, after which the answers leave. An intent record is written together with held records. Any other record is written at once
 * and synchronously: the system takes it in microseconds, and a call that need not wait for it costs less. When the last write took over half
 * a millisecond, calls that reach the same step in one turn share one write at the end of that turn. Only `fsync`, and a disk that was slow,
 * are waited for asynchronously. Calls of one turn share one check of the file.
 */
export const auditTrail = definePlugin({
  name: 'audit-trail',
  apiVersion,
  isOffInTests: true,
  optionsSchema: AuditTrailOptionsSchema,
  commands: [auditVerifyCommand],
  checks: trailChecks,
  async apply(api, options) {
    refuseForgottenKey(options);
    if (options.key !== undefined) api.maskAlso('audit-trail key', options.key);
    const { onFailure = 'closed', parameters = 'masked' } = options;
    const file = path.resolve(api.cwd, options.path);
    // Includes its rotated files, its head and its lock.
    for (const pattern of [file, `${file}.*`]) api.extend.controlFiles(pattern, { what: 'the audit trail' });
    const key = options.key === undefined ? {} : { key: options.key };
    api.extend.fact(callTrail, new TrailReader(file, options.key));
    const trail = new Trail(
      {
        path: file,
        location: await locationOf(options.path, file, { ...key, logger: api.logger }),
        maxBytes: options.maxBytes ?? 50 * 1024 * 1024,
        maxRotatedFiles: options.maxRotatedFiles ?? 10,
        syncsEach: options.fsync === 'each',
        onFailure,
        ...key,
      },
      api.logger,
    );
    const running = new InFlight<string, true>();
    const texts = new CallTextCache();
    const timeOf = createTimeFormatter();
    const mask = <T>(value: T): T => api.kernel.mask(value);
    const hashes = new WeakMap<Tool, string>();
    const hashOf = (tool: Tool): string => {
      const known = hashes.get(tool);
      if (known !== undefined) return known;
      const { hash } = tool;
      hashes.set(tool, hash);
      return hash;
    };

    // Before the transports start. With "open", the failure is only logged.
    api.hooks.serve.tapPromise({ name: 'audit-trail', stage: -1000 }, () =>
      trail.ready().catch((error: unknown) => {
        if (onFailure === 'closed') throw error;
      }),
    );
    // After all other plugins, as close as possible to the execution.
    api.hooks.beforeExecute.tapPromise({ name: 'audit-trail', stage: 1000 }, (draft) => {
      if (onFailure === 'open' || draft.verdict.effect === 'deny' || trail.isReady()) return undefined;
      return unwritableReason(trail.ready()).then((unwritable) =>
        unwritable === undefined ? undefined : deny(draft, { kind: 'audit', message: unwritable }),
      );
    });
    // First, because any plugin's tap may have the effect.
    api.hooks.execute.for('*').tapPromise({ name: 'audit-trail', stage: -1000 }, (call, { mask }) => {
      const { id, tool, verdict } = call;
      const intent =
        tool.risk === 'low'
          ? undefined
          : intentRecord(call, { texts, parameters, time: timeOf(Date.now()), mask, definitionHash: hashOf(tool) });
      // A human approval may have taken minutes: check again.
      const isChecked = intent !== undefined || (onFailure === 'closed' && verdict.effect === 'ask');
      const written = !isChecked ? undefined : intent === undefined ? trail.ready() : trail.writeIntent(intent);
      if (written === undefined) return void running.set(id, true);
      return unwritableReason(written).then((unwritable) => {
        if (unwritable !== undefined && onFailure === 'closed')
          throw new ToolkitError('POLICY_DENIED', `"${tool.name}" is refused: ${unwritable}`);
        running.set(id, true);
        return undefined;
      });
    });
    // First, so that a plugin that hangs cannot prevent the record.
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
      return trail.append(body, { kind: executed ? 'executed' : 'refused', isHeld: end.isHeld });
    });
    api.extend.refusals((refusal) => void trail.append(refusalRecord(refusal, timeOf(Date.now())), { kind: 'refused' }));
    const approvals = approvalListener((event, count) => {
      // A flood of wrong answers must not displace what waits to be written.
      const kind = event.event === 'rejected' ? 'refused' : 'approval';
      void trail.append(approvalRecord(event, timeOf(Date.now()), count), { kind });
    });
    api.extend.approvalEvents(approvals.listen);
    api.extend.beforeAnswers(() => trail.writeHeld());
    api.hooks.dispose.tapPromise('audit-trail', async () => {
      // Calls that the kernel has just ended are about to settle.
      await setImmediate();
      approvals.close();
      await trail.close();
    });
  },
});

/** Returns a folder when the path ends with `/` or is an existing folder, else a file. */
async function locationOf(configuredPath: string, file: string, options: TrailFolderOptions): Promise<TrailLocation> {
  const isFolder =
    configuredPath.endsWith('/') || configuredPath.endsWith(path.sep) || (await lstat(file).catch(() => undefined))?.isDirectory() === true;
  await (isFolder ? refuseOtherThanFolder(file) : refuseOtherThanFile(file));
  return isFolder ? new TrailFolder(file, options) : singleFile(file);
}

async function unwritableReason(written: Promise<void>): Promise<string | undefined> {
  try {
    await written;
    return undefined;
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return `the audit trail cannot be written (${problemOf(error)}), and without a record no call runs`;
  }
}

/** Returns RFC 3339 texts. Calls of one millisecond share the text: formatting costs as much as writing the record. */
function createTimeFormatter(): (ms: number) => string {
  let last = { ms: Number.NaN, text: '' };
  return (ms) => {
    if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
    return last.text;
  };
}

/** Refuses `key: undefined`: `key: process.env.AUDIT_KEY` with the variable unset would silently write a trail without a key. */
function refuseForgottenKey(options: AuditTrailOptions): void {
  if (!Object.hasOwn(options, 'key') || options.key !== undefined) return;
  throw new ToolkitError(
    'PLUGIN_INVALID',
    'The options of plugin "audit-trail" are wrong: key expected text of at least 16 characters, received nothing. Set the variable that it comes from, or leave the option out.',
    { plugin: 'audit-trail' },
  );
}
