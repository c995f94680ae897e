// Owns the artifact: a named link to saved evidence.

export interface Artifact {
  readonly name: string;
  readonly uri: string;
}
