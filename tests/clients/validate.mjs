// node validate.mjs SCHEMA JSON: holds a JSON file against a JSON Schema (draft 07); what is wrong goes to stdout.
import Ajv from "ajv";
import { readFileSync } from "node:fs";

const [schema, json] = process.argv.slice(2).map((path) => JSON.parse(readFileSync(path, "utf8")));
const validate = new Ajv({ strict: true, allErrors: true }).compile(schema);
if (!validate(json)) {
  for (const error of validate.errors) console.log(`${error.instancePath} ${error.message}`);
  process.exit(1);
}
