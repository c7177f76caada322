import type { ErrorCode, ToolkitError } from '../../../kernel/index.ts';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';
import type { SqlResult } from '../../../tools/postgres/result.ts';
import { afterEach } from '../../support/after-each.ts';
import { rejection } from '../../support/rejection.ts';
import { runSql, sqlToolkit } from '../../tools/postgres/database.ts';
import { type Address, type RealServer, uniqueName } from './server.ts';

type More = Readonly<Record<string, unknown>>;

const opened: Toolkit[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolkit) => toolkit.close()));
});

/** Calls of the tool on a server, by an application with a name of its own, so that its connections can be told from others. */
export class Calls {
  readonly toolkit: Toolkit;
  readonly application: string;

  private constructor(toolkit: Toolkit, application: string) {
    this.toolkit = toolkit;
    this.application = application;
  }

  /** Closed after the test. */
  static async open(server: RealServer, { parameters, ...address }: Address = {}): Promise<Calls> {
    const application = uniqueName('calls');
    const url = server.url({ ...address, parameters: { sslmode: 'disable', application_name: application, ...parameters } });
    const toolkit = await sqlToolkit({ POSTGRES_URL: url });
    opened.push(toolkit);
    return new Calls(toolkit, application);
  }

  run(sql: string, params: readonly unknown[] = [], more: More = {}): Promise<SqlResult> {
    return runSql(this.toolkit, sql, params, more);
  }

  /** With read_only false. */
  write(sql: string, params: readonly unknown[] = [], more: More = {}): Promise<SqlResult> {
    return this.run(sql, params, { read_only: false, ...more });
  }

  /** The value of the one column of the one row. */
  async value(sql: string, params: readonly unknown[] = []): Promise<unknown> {
    return Object.values((await this.run(sql, params)).rows[0] ?? {})[0];
  }

  failure(code: ErrorCode, sql: string, more: More = {}): Promise<ToolkitError> {
    return rejection(this.run(sql, [], more), code);
  }
}
