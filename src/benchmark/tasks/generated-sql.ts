import { isTpcc, type Workload } from '../../shared/model/workload.ts';
import { createRandom } from '../random.ts';
import type { SqlFile } from '../context/own-task.ts';
import { createTable, tableName, TableRows, TUPLE_FORM } from '../load/builtin/oltp/rows.ts';

const ROWS_PER_INSERT = 1_000;

/** A dump like mysqldump's, always with the same bytes. */
export function generatedDump(workload: Workload): SqlFile {
  let bytes = 0;
  for (const chunk of chunksOf(workload)) bytes += chunk.length;
  return {
    bytes,
    open: async function* () {
      yield* chunksOf(workload);
    },
  };
}

function* chunksOf(workload: Workload): Generator<Buffer> {
  if (isTpcc(workload)) throw new Error('a dump of TPC-C is not generated');
  for (let number = 1; number <= workload.tables; number++) {
    const table = tableName(number);
    yield Buffer.from(`DROP TABLE IF EXISTS ${table};\n${createTable(table, `, KEY k_${number} (k)`)};\n`);
    const rows = new TableRows({ ...workload, distribution: 'uniform' }, createRandom(1, number));
    while (rows.left > 0) {
      const tuples = rows.next(ROWS_PER_INSERT, TUPLE_FORM);
      yield Buffer.from(`INSERT INTO ${table} VALUES ${tuples.toString('latin1', 0, tuples.length - 1)};\n`);
    }
  }
}

/** Each statement is its own commit, as in migration tools. */
export function migrationStatements(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `migrated_${index + 1}`;
    const parent = `migrated_${Math.max(1, index)}`;
    return [
      `CREATE TABLE ${name} (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255) NOT NULL, note TEXT, amount DECIMAL(10,2) NOT NULL DEFAULT 0, created_at TIMESTAMP NULL) ENGINE=InnoDB`,
      `ALTER TABLE ${name} ADD COLUMN parent_id BIGINT UNSIGNED NULL`,
      `CREATE INDEX ${name}_name ON ${name} (name)`,
      `ALTER TABLE ${name} ADD CONSTRAINT ${name}_parent FOREIGN KEY (parent_id) REFERENCES ${parent} (id)`,
    ];
  }).flat();
}
