import pg from 'pg';
import { RealServer, uniqueName } from '../../suites/postgres/server.ts';

export interface ShopDatabase {
  /** For the role that owns its tables. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const tables = `
  CREATE TABLE customers (id integer PRIMARY KEY, name text NOT NULL, city text, tags text[] NOT NULL DEFAULT '{}', address jsonb);
  CREATE TABLE orders (id bigint PRIMARY KEY, customer_id integer NOT NULL REFERENCES customers, total numeric(10, 2) NOT NULL, placed_at timestamptz NOT NULL);
  CREATE VIEW open_orders AS SELECT id, total FROM orders;
  INSERT INTO customers (id, name, city) VALUES (3, 'Ada', 'London'), (17, 'Grace', 'New York'), (42, 'Zoë', 'Oslo');
  INSERT INTO orders VALUES
    (1001, 3, 9.90, '2026-01-12 10:00:00+01'), (1002, 17, 120, '2026-02-01 08:30:00+01'), (1003, 42, 35.5, '2026-02-03 19:45:00+01'),
    (9007199254740993, 3, 0.99, '2026-02-04 12:00:00+01');
`;

/** The shop of the examples, on a PostgreSQL server of this machine or of TOOLKIT_TEST_POSTGRES_URL. */
export async function startShopDatabase(): Promise<ShopDatabase> {
  const server = await RealServer.start();
  const stop = async (): Promise<void> => {
    await server.undo();
    await server.stop();
  };
  try {
    const password = uniqueName('password');
    const user = await server.makeRole(password);
    const database = uniqueName('shop');
    await server.make(`CREATE DATABASE ${database} OWNER ${user}`, `DROP DATABASE ${database}`);
    const client = new pg.Client({ connectionString: server.url({ user, password, database }) });
    await client.connect();
    await client.query(tables).finally(() => client.end());
    const { host, port } = server.address;
    const env = {
      POSTGRES_HOST: host,
      POSTGRES_PORT: String(port),
      POSTGRES_USER: user,
      POSTGRES_PASSWORD: password,
      POSTGRES_DATABASE: database,
    };
    return { env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
