import { isTpcc, type Workload } from '../../shared/model/workload.ts';
import { createRandom } from '../random.ts';
import type { SqlFile } from '../context/own-task.ts';

const ROWS_PER_INSERT = 1_000;

/** As mysqldump writes `oltp` tables. The same bytes each time. */
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
  const random = createRandom(1);
  const digits = (count: number): string => {
    let text = '';
    while (text.length < count) text += String(Math.floor(random() * 1e9)).padStart(9, '0');
    return text.slice(0, count);
  };
  for (let table = 1; table <= workload.tables; table++) {
    const name = `sbtest${table}`;
    yield Buffer.from(
      `DROP TABLE IF EXISTS \`${name}\`;\nCREATE TABLE \`${name}\` (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, ` +
        `k INT NOT NULL DEFAULT 0, c CHAR(120) NOT NULL DEFAULT '', pad CHAR(60) NOT NULL DEFAULT '', KEY k_${table} (k)) ENGINE=InnoDB;\n`,
    );
    for (let row = 1; row <= workload.tableSize; row += ROWS_PER_INSERT) {
      const last = Math.min(workload.tableSize, row + ROWS_PER_INSERT - 1);
      const values: string[] = [];
      for (let id = row; id <= last; id++) {
        const key = 1 + Math.floor(random() * workload.tableSize);
        values.push(`(${id},${key},'${digits(119)}','${digits(59)}')`);
      }
      yield Buffer.from(`INSERT INTO \`${name}\` VALUES ${values.join(',')};\n`);
    }
  }
}

/** Each statement is its own commit, as migration tools run them. */
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
