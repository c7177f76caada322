/**
 * A SQLite file, beside the event loop of the server: its library waits for the disk and for other processes. Takes `{ id, statements }`, each statement as
 * `[sql, ...values]`, answers `{ id, rows }` with the rows of each, or `{ id, problem }`; `{ broken }` says why there will be no answers. With `isConditional`
 * the first statement must give a row for the others to run. What has come meanwhile is one transaction, and is answered when that is on the disk.
 * `{ id, watch }` switches telling of changes on and off: `{ changed }`, the keys.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import Database from 'libsql';

const pollMs = 20;

/** A process that waits for another one to write waits so long, in milliseconds. */
const busyMs = 5000;

/** A transaction holds up other processes: so many requests at most. */
const mostTogether = 256;

const database = open();

const prepared = new Map();
let lastChange;
let lastVersion;
let polling;

parentPort.on('message', (first) => {
  if (first.watch !== undefined) return watch(first);
  const together = [first];
  let then;
  while (together.length < mostTogether) {
    const next = receiveMessageOnPort(parentPort)?.message;
    if (next === undefined) break;
    if (next.watch !== undefined) {
      then = next;
      break;
    }
    together.push(next);
  }
  for (const answer of transaction(together)) parentPort.postMessage(answer);
  if (then !== undefined) watch(then);
  else if (polling !== undefined) tellChanges();
});

/** An error of the library cannot leave the thread as it is. */
function open() {
  try {
    const opened = new Database(workerData, { timeout: busyMs });
    opened.exec('pragma journal_mode = wal; pragma synchronous = full');
    return opened;
  } catch (error) {
    parentPort.postMessage({ broken: error.message });
    process.exit();
  }
}

function transaction(requests) {
  try {
    // Whoever only reads need not wait for who writes.
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

/** A statement that fails leaves nothing; those before it stay, so each request that writes twice must not fail half way. */
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
      polling = setInterval(tellOthers, pollMs);
    } else lastChange = undefined;
    parentPort.postMessage({ id, rows: [] });
  } catch (error) {
    parentPort.postMessage({ id, problem: error.message });
  }
}

/** The version counts what other processes write. */
function tellOthers() {
  const [{ data_version: version }] = rowsOf(['pragma data_version']);
  if (version === lastVersion) return;
  lastVersion = version;
  tellChanges();
}

function tellChanges() {
  const found = rowsOf(['select id, key from changes where id > ? order by id', lastChange]);
  if (found.length === 0) return;
  lastChange = found.at(-1).id;
  parentPort.postMessage({ changed: [...new Set(found.map(({ key }) => key))] });
}
