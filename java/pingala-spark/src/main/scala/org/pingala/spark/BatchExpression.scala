package org.pingala.spark

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.pingala.PingalaException

/**
 * What is wrong with a row: a code of the library, for the column `error` of a function that has one, and a sentence. An error that ends the query
 * shows both.
 */
final case class Failure(code: String, message: String) {
  override def toString: String = s"$code: $message"
}

object Failure {
  /** The failure of an element of a list, of which the library gives the code only. */
  def of(code: String): Failure = Failure(code, code match {
    case "not_invertible" => "the number has no inverse modulo the modulus"
    case "too_long" => "a number is longer than its limit"
    case _ => "there is no result"
  })

  /** The failure of a call. */
  def of(e: RuntimeException): Failure = e match {
    case e: PingalaException => Failure(e.code, e.getMessage)
    case _ => Failure("bad_argument", String.valueOf(e.getMessage))
  }
}

/**
 * A function that is computed for many rows in one call: [[BatchRule]] takes it out of projections and filters. Where it stays, as in a branch of
 * CASE, `eval` computes single rows.
 */
abstract class BatchExpression extends Expression with CodegenFallback {

  /** Its name in SQL. */
  def functionName: String

  /** A value or a [[Failure]] for each row of arguments, none of which is null. */
  def compute(rows: Array[Array[Any]], calls: Calls): Array[Any]

  /** The answer to a row that failed. */
  protected def failed(failure: Failure): Any = failure

  /**
   * As `compute`, but a call that fails as a whole, as for one exponent beyond the limit, is repeated for fewer rows: no row spoils others. Rows
   * that would take much more memory than they have, since a call makes all as wide as the longest, are computed in parts, too.
   */
  final def answers(rows: Array[Array[Any]], calls: Calls): Array[Any] =
    if (rows.length > 1 && BatchExpression.padded(rows) > BatchExpression.MostPadded) inHalves(rows, calls)
    else try compute(rows, calls)
    catch {
      case e: PingalaException if e.code == "interrupted" => throw e
      case _: PingalaException | _: IllegalArgumentException if rows.length > 1 => inHalves(rows, calls)
      case e: PingalaException => Array[Any](failed(Failure.of(e)))
      case e: IllegalArgumentException => Array[Any](failed(Failure.of(e)))
    }

  private def inHalves(rows: Array[Array[Any]], calls: Calls): Array[Any] = {
    val (first, second) = rows.splitAt(rows.length / 2)
    answers(first, calls) ++ answers(second, calls)
  }

  override def nullable: Boolean = true

  override def prettyName: String = functionName

  /** What is wrong with the types of arguments; null for nothing. */
  protected def wrongTypes: String

  override def checkInputDataTypes(): TypeCheckResult = wrongTypes match {
    case null => TypeCheckResult.TypeCheckSuccess
    case why => TypeCheckResult.TypeCheckFailure(s"$functionName: $why")
  }

  @transient private var calls: Calls = _
  @transient private var row = 0L

  override def eval(input: InternalRow): Any = {
    val arguments = children.map(_.eval(input)).toArray[Any]
    row += 1
    if (arguments.contains(null)) {
      return null
    }
    if (calls == null) {
      calls = Calls.forTask()
    }
    BatchExpression.valueOf(this, answers(Array(arguments), calls)(0), row - 1)
  }
}

object BatchExpression {
  private val MostPadded = 64L << 20

  /** The bytes of rows whose arguments all are as wide as the longest of their column. */
  private def padded(rows: Array[Array[Any]]): Long = {
    val widths = new Array[Long](rows(0).length)
    for (row <- rows) {
      var c = 0
      while (c < widths.length) {
        widths(c) = math.max(widths(c), row(c) match {
          case bytes: Array[Byte] => bytes.length.toLong
          case text: UTF8String => text.numBytes().toLong
          case _ => 8L
        })
        c += 1
      }
    }
    rows.length * widths.sum
  }

  /** A result of `compute`; a failure is thrown, with the place of the row. */
  def valueOf(function: BatchExpression, result: Any, row: Long): Any = result match {
    case failure: Failure =>
      val context = TaskContext.get()
      val place = if (context == null) s"row $row" else s"row $row of partition ${context.partitionId()}"
      throw new ArithmeticException(s"${function.functionName}: $place: $failure")
    case value => value
  }

  private def isNumber(dataType: DataType): Boolean = dataType match {
    case ByteType | ShortType | IntegerType | LongType | BinaryType | NullType => true
    case _: StringType => true
    case _ => false
  }

  /** What is wrong with the types of numbers; null for nothing. */
  def wrongNumbers(types: Seq[DataType]): String = types.find(!isNumber(_)) match {
    case None => null
    case Some(wrong) => s"${wrong.catalogString} is no type of numbers here: expected BINARY, BIGINT or a shorter integer, or STRING"
  }

  /** The type of results below numbers of a type: the same one. A NULL that has no type gives BINARY. */
  def like(dataType: DataType): DataType = dataType match {
    case BinaryType | NullType => BinaryType
    case _: StringType => StringType
    case integer => integer
  }

  def isText(dataType: DataType): Boolean = dataType match {
    case BinaryType | NullType => true
    case _: StringType => true
    case _ => false
  }
}
