/**
 * A SQLite file in a worker thread: its library blocks on the disk and on other processes.
 * Receives `{ id, statements }`, each statement as `[sql, ...values]`. Answers `{ id, rows }` with the rows of each, or `{ id, problem }`.
 * `{ broken }` explains why no more answers follow. With `isConditional`, the others run only when the first statement returns a row.
 * Requests that arrive meanwhile share one transaction, and are answered when it is on disk.
 * `{ file, isExclusive, pollIntervalMs }` is given at the start: an exclusive thread keeps all others out until it ends, and cannot open while one is
 * in; changes of other processes are looked for at this interval.
 * `{ id, watch }` switches notifications of changed keys on and off: `{ changed }`.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

/** Maximum time for which a request waits for another process that has locked the file, in milliseconds. */
const maxWaitMs = 5000;

/** Time for which this thread stands still for such a process, and time in which it answers others before it tries again, in milliseconds. */
const busyTimeoutMs = 100;
const retryIntervalMs = 20;

/** Maximum number of requests in a transaction: it blocks other processes. */
const maxBatch = 256;

const database = open();

const prepared = new Map();
/** Requests that wait for another process, oldest first. */
let waiting = [];
let hasWritten = false;
let lastChange;
let lastVersion;
let polling;

parentPort.on('message', (first) => {
  if (first.watch !== undefined) return watch(first);
  const batch = [first];
  let then;
  while (batch.length < maxBatch) {
    const next = receiveMessageOnPort(parentPort)?.message;
    if (next === undefined) break;
    if (next.watch !== undefined) {
      then = next;
      break;
    }
    batch.push(next);
  }
  const until = performance.now() + maxWaitMs;
  run(batch.map((request) => ({ ...request, until })));
  if (then !== undefined) watch(then);
  else reportChanges();
});

/** Opens the file. Reports an error as text: error objects of the library cannot be sent to another thread. */
function open() {
  try {
    const { file, isExclusive } = workerData;
    const opened = new Database(file, { timeout: maxWaitMs });
    if (isExclusive) opened.exec('pragma locking_mode = exclusive');
    opened.exec(`pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = ${busyTimeoutMs}`);
    // In this mode a lock that is taken once is not given back.
    if (isExclusive) opened.exec('begin exclusive; commit');
    return opened;
  } catch (error) {
    parentPort.postMessage({ broken: error.message });
    process.exit();
  }
}

/** Answers requests in order. While another process has locked the file, only those that write wait for it. */
function run(requests) {
  if (waiting.length === 0 && isAnswered(requests)) return;
  const areReadsAnswered = isAnswered(requests.filter(isReading));
  if (waiting.length === 0) setTimeout(runWaiting, retryIntervalMs);
  waiting.push(...(areReadsAnswered ? requests.filter((request) => !isReading(request)) : requests));
}

function runWaiting() {
  const first = waiting.slice(0, maxBatch);
  const areAnswered = isAnswered(first);
  if (areAnswered) waiting = waiting.slice(first.length);
  const now = performance.now();
  for (const { id } of waiting.filter(({ until }) => until <= now))
    parentPort.postMessage({ id, problem: `another process has kept it locked for ${maxWaitMs / 1000} seconds` });
  waiting = waiting.filter(({ until }) => until > now);
  if (waiting.length > 0) setTimeout(runWaiting, areAnswered ? 0 : retryIntervalMs);
}

/** Answers requests in one transaction. Returns false when another process has locked the file: then nothing is done or answered. */
function isAnswered(requests) {
  if (requests.length === 0) return true;
  try {
    // A reading transaction need not wait for a writing one.
    const areReading = requests.every(isReading);
    database.exec(areReading ? 'begin' : 'begin immediate');
    const answers = requests.map(answer);
    database.exec('commit');
    hasWritten ||= !areReading;
    for (const one of answers) parentPort.postMessage(one);
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    if (isLocked(error)) return false;
    for (const { id } of requests) parentPort.postMessage({ id, problem: error.message });
  }
  return true;
}

function isReading({ statements }) {
  return statements.every(([sql]) => sql.startsWith('select'));
}

function isLocked({ code }) {
  return code?.startsWith('SQLITE_BUSY') === true;
}

/** Runs the statements of a request. A failed statement has no effect, but earlier ones stay: a request with two writes must not fail half way. */
function answer({ id, statements: [first, ...others], isConditional = false }) {
  try {
    const rows = rowsOf(first);
    return { id, rows: [rows, ...(isConditional && rows.length === 0 ? [] : others.map(rowsOf))] };
  } catch (error) {
    if (isLocked(error) || error.code?.startsWith('SQLITE_IOERR') || error.code === 'SQLITE_FULL') throw error;
    return { id, problem: error.message };
  }
}

function rowsOf([sql, ...values]) {
  if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql));
  const statement = prepared.get(sql);
  const given = values.map((value) =>
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  );
  if (statement.reader) return statement.all(...given);
  statement.run(...given);
  return [];
}

function watch({ id, watch: isOn }) {
  clearInterval(polling);
  polling = undefined;
  try {
    if (isOn) {
      if (lastChange === undefined) lastChange = database.prepare('select coalesce(max(id), 0) as last from changes').get().last;
      polling = setInterval(reportChanges, workerData.pollIntervalMs);
    } else lastChange = undefined;
    parentPort.postMessage({ id, rows: [] });
  } catch (error) {
    parentPort.postMessage({ id, problem: error.message });
  }
}

/** Reports changes of keys, of this process and of others: `data_version` changes when one of those writes. */
function reportChanges() {
  if (polling === undefined) return;
  try {
    const [{ data_version: version }] = rowsOf(['pragma data_version']);
    if (!hasWritten && version === lastVersion) return;
    const found = rowsOf(['select id, key from changes where id > ? order by id', lastChange]);
    hasWritten = false;
    lastVersion = version;
    if (found.length === 0) return;
    lastChange = found.at(-1).id;
    parentPort.postMessage({ changed: [...new Set(found.map(({ key }) => key))] });
  } catch {
    // The next poll tries again, and the next request says why it fails.
  }
}
