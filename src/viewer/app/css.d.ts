// Owns telling the compiler that a stylesheet can be imported.

declare module "*.css";
