/**
 * A SQLite file in a worker thread: its library blocks on the disk and on other processes.
 * Receives `{ id, statements }`, each statement as `[sql, ...values]`. Answers `{ id, rows }` with the rows of each, or `{ id, problem }`.
 * `{ broken }` explains why no more answers follow. With `isConditional`, the others run only when the first statement returns a row.
 * Requests that arrive meanwhile share one transaction, and are answered when it is on disk.
 * `{ file, isExclusive }` is given at the start: an exclusive thread keeps all others out until it ends, and cannot open while one is in.
 * `{ id, watch }` switches notifications of changed keys on and off: `{ changed }`.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

const pollIntervalMs = 20;

/** Maximum wait for another process that writes, in milliseconds. */
const busyTimeoutMs = 5000;

/** Maximum number of requests in a transaction: it blocks other processes. */
const maxBatch = 256;

const database = open();

const prepared = new Map();
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
  for (const answer of transaction(batch)) parentPort.postMessage(answer);
  if (then !== undefined) watch(then);
  else if (polling !== undefined) notifyChanges();
});

/** Opens the file. Reports an error as text: error objects of the library cannot be sent to another thread. */
function open() {
  try {
    const { file, isExclusive } = workerData;
    const opened = new Database(file, { timeout: busyTimeoutMs });
    if (isExclusive) opened.exec('pragma locking_mode = exclusive');
    opened.exec('pragma journal_mode = wal; pragma synchronous = full');
    // In this mode a lock that is taken once is not given back.
    if (isExclusive) opened.exec('begin exclusive; commit');
    return opened;
  } catch (error) {
    parentPort.postMessage({ broken: error.message });
    process.exit();
  }
}

function transaction(requests) {
  try {
    // A reading transaction need not wait for a writing one.
    const isReading = requests.every(({ statements }) => statements.every(([sql]) => sql.startsWith('select')));
    database.exec(isReading ? 'begin' : 'begin immediate');
    const answers = requests.map(answer);
    database.exec('commit');
    return answers;
  } catch (error) {
    if (database.inTransaction) database.exec('rollback');
    return requests.map(({ id }) => ({ id, problem: error.message }));
  }
}

/** Runs the statements of a request. A failed statement has no effect, but earlier ones stay: a request with two writes must not fail half way. */
function answer({ id, statements: [first, ...others], isConditional = false }) {
  try {
    const rows = rowsOf(first);
    return { id, rows: [rows, ...(isConditional && rows.length === 0 ? [] : others.map(rowsOf))] };
  } catch (error) {
    if (error.code?.startsWith('SQLITE_IOERR') || error.code === 'SQLITE_FULL') throw error;
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
      polling = setInterval(notifyForeignChanges, pollIntervalMs);
    } else lastChange = undefined;
    parentPort.postMessage({ id, rows: [] });
  } catch (error) {
    parentPort.postMessage({ id, problem: error.message });
  }
}

/** Reports changes of other processes: `data_version` changes when one of them writes. */
function notifyForeignChanges() {
  const [{ data_version: version }] = rowsOf(['pragma data_version']);
  if (version === lastVersion) return;
  lastVersion = version;
  notifyChanges();
}

function notifyChanges() {
  const found = rowsOf(['select id, key from changes where id > ? order by id', lastChange]);
  if (found.length === 0) return;
  lastChange = found.at(-1).id;
  parentPort.postMessage({ changed: [...new Set(found.map(({ key }) => key))] });
}
