/** ClickHouse's own choice of HTTP status for the codes a client is likely to meet; everything else is 500. */
const statusByCode: Record<number, number> = {
  6: 400, // CANNOT_PARSE_TEXT
  16: 404, // NO_SUCH_COLUMN_IN_TABLE
  26: 400, // CANNOT_PARSE_QUOTED_STRING
  27: 400, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  38: 400, // CANNOT_PARSE_DATE
  41: 400, // CANNOT_PARSE_DATETIME
  42: 400, // NUMBER_OF_ARGUMENTS_DOESNT_MATCH
  43: 400, // ILLEGAL_TYPE_OF_ARGUMENT
  44: 400, // ILLEGAL_COLUMN
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  50: 404, // UNKNOWN_TYPE
  53: 400, // TYPE_MISMATCH
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  72: 400, // CANNOT_PARSE_NUMBER
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  117: 400, // INCORRECT_DATA
  130: 400, // CANNOT_READ_ARRAY_FROM_TEXT
  159: 408, // TIMEOUT_EXCEEDED
  164: 403, // READONLY
  456: 400, // UNKNOWN_QUERY_PARAMETER
  457: 400, // BAD_QUERY_PARAMETER
}

type ExceptionStatus = { code: number; status: number }

export function exceptionStatus(message: string): ExceptionStatus {
  const code = Number(/^Code: (\d+)\./.exec(message)?.[1] ?? 1002) // 1002 is ClickHouse's UNKNOWN_EXCEPTION
  return { code, status: statusByCode[code] ?? 500 }
}
