// Owns the little linear algebra that a correction for several labels needs.

export type Matrix = readonly (readonly number[])[];

/** The inverse and the determinant, by elimination with pivots; `undefined` where the matrix is singular. */
export function invert(matrix: Matrix): { readonly inverse: Matrix; readonly determinant: number } | undefined {
  const size = matrix.length;
  const rows = matrix.map((row, index) => [...row, ...row.map((_, column) => (column === index ? 1 : 0))]);
  let determinant = 1;
  for (let column = 0; column < size; column += 1) {
    let pivot = column;
    for (let row = column + 1; row < size; row += 1) if (Math.abs(at(rows, row, column)) > Math.abs(at(rows, pivot, column))) pivot = row;
    const lead = at(rows, pivot, column);
    if (Math.abs(lead) < 1e-12) return undefined;
    if (pivot !== column) {
      [rows[pivot], rows[column]] = [rows[column] as number[], rows[pivot] as number[]];
      determinant = -determinant;
    }
    determinant *= lead;
    const leading = (rows[column] as number[]).map((value) => value / lead);
    rows[column] = leading;
    for (let row = 0; row < size; row += 1) {
      const factor = at(rows, row, column);
      if (row === column || factor === 0) continue;
      rows[row] = (rows[row] as number[]).map((value, place) => value - factor * (leading[place] as number));
    }
  }
  return { inverse: rows.map((row) => row.slice(size)), determinant };
}

function at(rows: Matrix, row: number, column: number): number {
  return (rows[row] as readonly number[])[column] as number;
}

export function multiply(matrix: Matrix, vector: readonly number[]): readonly number[] {
  return matrix.map((row) => row.reduce((total, value, index) => total + value * (vector[index] as number), 0));
}

/** The largest sum of sizes of a column. */
export function norm(matrix: Matrix): number {
  return Math.max(...matrix.map((_, column) => matrix.reduce((total, row) => total + Math.abs(row[column] as number), 0)));
}

/** The shares (from 0, sum 1) nearest to a vector, by Euclid's distance. Duchi et al. 2008. */
export function nearestShares(vector: readonly number[]): readonly number[] {
  const sorted = [...vector].sort((a, b) => b - a);
  let total = 0;
  let excess = 0;
  for (const [index, value] of sorted.entries()) {
    total += value;
    const candidate = (total - 1) / (index + 1);
    if (value > candidate) excess = candidate;
  }
  return vector.map((value) => Math.max(0, value - excess));
}
