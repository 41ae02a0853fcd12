//! The columns of the tables of every run, one a line: table, column, type and meaning, with tabs between
//! them. The book's page of columns is made of them.

use etude_lab::tables::standard_columns;

fn main() {
    for (table, columns) in standard_columns() {
        for column in columns {
            let kind = column.kind.frictionless();
            println!("{table}\t{}\t{kind}\t{}", column.name, column.meaning);
        }
    }
}
