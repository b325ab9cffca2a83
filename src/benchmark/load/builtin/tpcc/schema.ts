/** Clause 1.3, with sysbench-tpcc's names. Counters and sums are wider: a fast server would outgrow them. */
interface Table {
  name: string;
  columns: string;
  indexes?: string[];
  foreignKeys?: string[];
}

const ADDRESS = (prefix: string): string =>
  `${prefix}_street_1 VARCHAR(20) NOT NULL, ${prefix}_street_2 VARCHAR(20) NOT NULL, ` +
  `${prefix}_city VARCHAR(20) NOT NULL, ${prefix}_state CHAR(2) NOT NULL, ${prefix}_zip CHAR(9) NOT NULL`;

export const STOCK_DISTRICT_COLUMNS = Array.from(
  { length: 10 },
  (_, index) => `s_dist_${String(index + 1).padStart(2, '0')}`,
);

export const TABLES: readonly Table[] = [
  {
    name: 'warehouse',
    columns: `w_id SMALLINT NOT NULL, w_name VARCHAR(10) NOT NULL, ${ADDRESS('w')},
      w_tax DECIMAL(4,4) NOT NULL, w_ytd DECIMAL(14,2) NOT NULL, PRIMARY KEY (w_id)`,
  },
  {
    name: 'item',
    columns: `i_id INT NOT NULL, i_im_id INT NOT NULL, i_name VARCHAR(24) NOT NULL,
      i_price DECIMAL(5,2) NOT NULL, i_data VARCHAR(50) NOT NULL, PRIMARY KEY (i_id)`,
  },
  {
    name: 'district',
    columns: `d_id TINYINT NOT NULL, d_w_id SMALLINT NOT NULL, d_name VARCHAR(10) NOT NULL, ${ADDRESS('d')},
      d_tax DECIMAL(4,4) NOT NULL, d_ytd DECIMAL(14,2) NOT NULL, d_next_o_id INT NOT NULL,
      PRIMARY KEY (d_w_id, d_id)`,
    foreignKeys: ['(d_w_id) REFERENCES warehouse (w_id)'],
  },
  {
    name: 'stock',
    columns: `s_i_id INT NOT NULL, s_w_id SMALLINT NOT NULL, s_quantity SMALLINT NOT NULL,
      ${STOCK_DISTRICT_COLUMNS.map((column) => `${column} CHAR(24) NOT NULL`).join(', ')},
      s_ytd DECIMAL(10,0) NOT NULL, s_order_cnt INT NOT NULL, s_remote_cnt INT NOT NULL,
      s_data VARCHAR(50) NOT NULL, PRIMARY KEY (s_w_id, s_i_id)`,
    indexes: ['stock_item (s_i_id)'],
    foreignKeys: ['(s_w_id) REFERENCES warehouse (w_id)', '(s_i_id) REFERENCES item (i_id)'],
  },
  {
    name: 'customer',
    columns: `c_id INT NOT NULL, c_d_id TINYINT NOT NULL, c_w_id SMALLINT NOT NULL, c_first VARCHAR(16) NOT NULL,
      c_middle CHAR(2) NOT NULL, c_last VARCHAR(16) NOT NULL, ${ADDRESS('c')}, c_phone CHAR(16) NOT NULL,
      c_since DATETIME NOT NULL, c_credit CHAR(2) NOT NULL, c_credit_lim DECIMAL(12,2) NOT NULL,
      c_discount DECIMAL(4,4) NOT NULL, c_balance DECIMAL(12,2) NOT NULL, c_ytd_payment DECIMAL(12,2) NOT NULL,
      c_payment_cnt INT NOT NULL, c_delivery_cnt INT NOT NULL, c_data VARCHAR(500) NOT NULL,
      PRIMARY KEY (c_w_id, c_d_id, c_id)`,
    indexes: ['customer_name (c_w_id, c_d_id, c_last, c_first)'],
    foreignKeys: ['(c_w_id, c_d_id) REFERENCES district (d_w_id, d_id)'],
  },
  {
    name: 'history',
    columns: `h_c_id INT NOT NULL, h_c_d_id TINYINT NOT NULL, h_c_w_id SMALLINT NOT NULL, h_d_id TINYINT NOT NULL,
      h_w_id SMALLINT NOT NULL, h_date DATETIME NOT NULL, h_amount DECIMAL(6,2) NOT NULL, h_data VARCHAR(24) NOT NULL`,
    indexes: ['history_customer (h_c_w_id, h_c_d_id, h_c_id)', 'history_district (h_w_id, h_d_id)'],
    foreignKeys: [
      '(h_c_w_id, h_c_d_id, h_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)',
      '(h_w_id, h_d_id) REFERENCES district (d_w_id, d_id)',
    ],
  },
  {
    name: 'orders',
    columns: `o_id INT NOT NULL, o_d_id TINYINT NOT NULL, o_w_id SMALLINT NOT NULL, o_c_id INT NOT NULL,
      o_entry_d DATETIME NOT NULL, o_carrier_id TINYINT, o_ol_cnt TINYINT NOT NULL, o_all_local TINYINT NOT NULL,
      PRIMARY KEY (o_w_id, o_d_id, o_id)`,
    indexes: ['orders_customer (o_w_id, o_d_id, o_c_id, o_id)'],
    foreignKeys: ['(o_w_id, o_d_id, o_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)'],
  },
  {
    name: 'new_orders',
    columns: `no_o_id INT NOT NULL, no_d_id TINYINT NOT NULL, no_w_id SMALLINT NOT NULL,
      PRIMARY KEY (no_w_id, no_d_id, no_o_id)`,
    foreignKeys: ['(no_w_id, no_d_id, no_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)'],
  },
  {
    name: 'order_line',
    columns: `ol_o_id INT NOT NULL, ol_d_id TINYINT NOT NULL, ol_w_id SMALLINT NOT NULL, ol_number TINYINT NOT NULL,
      ol_i_id INT NOT NULL, ol_supply_w_id SMALLINT NOT NULL, ol_delivery_d DATETIME, ol_quantity TINYINT NOT NULL,
      ol_amount DECIMAL(6,2) NOT NULL, ol_dist_info CHAR(24) NOT NULL,
      PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)`,
    indexes: ['order_line_stock (ol_supply_w_id, ol_i_id)'],
    foreignKeys: [
      '(ol_w_id, ol_d_id, ol_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)',
      '(ol_supply_w_id, ol_i_id) REFERENCES stock (s_w_id, s_i_id)',
    ],
  },
];

export function createStatement({ name, columns }: Table): string {
  return `CREATE TABLE ${name} (${columns}) ENGINE=InnoDB`;
}

export function indexStatements({ name, indexes = [] }: Table): string[] {
  return altered(
    name,
    indexes.map((index) => `ADD INDEX ${index}`),
  );
}

export function foreignKeyStatements({ name, foreignKeys = [] }: Table): string[] {
  return altered(
    name,
    foreignKeys.map((key) => `ADD FOREIGN KEY ${key}`),
  );
}

function altered(table: string, changes: string[]): string[] {
  return changes.length === 0 ? [] : [`ALTER TABLE ${table} ${changes.join(', ')}`];
}
