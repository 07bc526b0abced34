package org.pingala.spark

import java.math.BigInteger
import java.nio.ByteBuffer
import java.util.{HashMap => JHashMap}

import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.pingala.{FixedBase, Key, Modulus, Options, Rows}

/** What the calls of one task share: settings, and handles that were made. */
final class Calls(val options: Options) {
  private val moduli = new JHashMap[BigInteger, Modulus]
  private val tables = new JHashMap[(BigInteger, BigInteger), FixedBase]
  private val keys = new JHashMap[ByteBuffer, Either[Failure, Key]]

  private var room: ByteBuffer = _

  /** Where a call of so many rows writes its results, which are read before the next call. It is kept: new arrays of a megabyte are dear. */
  def results(count: Int, width: Int): ByteBuffer = {
    val needed = count.toLong * math.max(1, width)
    if (needed > Calls.KeptBytes) {
      return null
    }
    if (room == null || room.capacity < needed) {
      room = ByteBuffer.allocateDirect(math.max(needed.toInt, 1 << 16))
    }
    room.clear()
    room
  }

  def modulus(value: BigInteger): Modulus =
    moduli.computeIfAbsent(value, v => Modulus.of(v, options))

  /** A table for exponents as long as the modulus. */
  def table(base: BigInteger, modulus: BigInteger): FixedBase =
    tables.computeIfAbsent((base, modulus), _ =>
      FixedBase.of(this.modulus(modulus), base,
        FixedBase.Table.of(modulus.bitLength().toLong, Calls.TableBytes).forPowers(Calls.TablePowers).inLists()))

  def key(bytes: Array[Byte]): Either[Failure, Key] =
    keys.computeIfAbsent(ByteBuffer.wrap(bytes), _ =>
      try Right(Key.load(bytes))
      catch { case e: RuntimeException => Left(Failure.of(e)) })

  /** Between batches: handles of columns with a modulus for each row are not kept. */
  def trim(): Unit = {
    if (moduli.size > Calls.Kept || tables.size > Calls.KeptTables || keys.size > Calls.Kept) {
      close()
    }
  }

  def close(): Unit = {
    moduli.values.forEach(_.close())
    moduli.clear()
    tables.values.forEach(_.close())
    tables.clear()
    keys.values.forEach(key => key.foreach(_.close()))
    keys.clear()
  }
}

object Calls {
  private val Kept = 256
  private val KeptTables = 4
  private val KeptBytes = 4L << 20
  private val TableBytes = 16L << 20
  private val TablePowers = 100000L

  /** A task computes on as many threads as it has processors. */
  def forTask(): Calls = {
    val env = SparkEnv.get
    val threads = if (env == null) 1 else env.conf.getInt("spark.task.cpus", 1)
    val calls = new Calls(Options.DEFAULT.withThreads(threads))
    val context = TaskContext.get()
    if (context != null) {
      context.addTaskCompletionListener[Unit](_ => calls.close())
    }
    calls
  }
}

/** One argument of all rows of a batch, as numbers. */
private[spark] final class Column(values: Array[Any], dataType: DataType) {
  private val binary = dataType == BinaryType
  private val numbers = if (binary) null else new Array[BigInteger](values.length)

  /** Reads a number; what is wrong with it if it is none, otherwise null. */
  def read(index: Int): Failure = if (binary) null else {
    try values(index) match {
      case text: UTF8String if text.numBytes() > Column.Longest =>
        Failure("too_long", s"text of ${text.numBytes()} bytes is over the cap of ${Column.Longest}: longer numbers have to be BINARY")
      case text: UTF8String =>
        numbers(index) = Column.parsed(text.toString)
        null
      case number: Number =>
        numbers(index) = BigInteger.valueOf(number.longValue())
        null
    } catch {
      case _: NumberFormatException =>
        Failure("not_a_number", s"${Column.quoted(values(index).toString)}: expected decimal digits, or hexadecimal ones behind 0x")
    }
  }

  def number(index: Int): BigInteger =
    if (binary) new BigInteger(1, values(index).asInstanceOf[Array[Byte]]) else numbers(index)

  def same(a: Int, b: Int): Boolean =
    if (binary) java.util.Arrays.equals(values(a).asInstanceOf[Array[Byte]], values(b).asInstanceOf[Array[Byte]])
    else numbers(a) == numbers(b)

  /** The numbers of some rows. */
  def rows(places: Array[Int]): Rows =
    if (binary) Rows.of(places.map(values(_).asInstanceOf[Array[Byte]])) else Rows.of(java.util.Arrays.asList(places.map(numbers): _*))

  /** A result below the number of this column, in its form. */
  def like(index: Int, result: Array[Byte]): Any = values(index) match {
    case bytes: Array[Byte] => Column.wide(result, bytes.length)
    case text: UTF8String =>
      val number = new BigInteger(1, result)
      val hexadecimal = Column.isHexadecimal(text.toString)
      UTF8String.fromString(if (hexadecimal) "0x" + number.toString(16) else number.toString)
    // Spark takes a number of a type from the object of that type only.
    case _: java.lang.Byte => new BigInteger(1, result).byteValueExact()
    case _: java.lang.Short => new BigInteger(1, result).shortValueExact()
    case _: java.lang.Integer => new BigInteger(1, result).intValueExact()
    case _: java.lang.Long => new BigInteger(1, result).longValueExact()
  }
}

private[spark] object Column {
  /** Longer texts are refused: decimal ones take long to read. */
  val Longest: Int = 1 << 20

  def isHexadecimal(text: String): Boolean = text.dropWhile(c => isBlank(c) || c == '+').toLowerCase.startsWith("0x")

  def parsed(text: String): BigInteger = {
    val from = text.indexWhere(!isBlank(_))
    val trimmed = if (from < 0) "" else text.substring(from, text.lastIndexWhere(!isBlank(_)) + 1)
    val negative = trimmed.startsWith("-")
    val digits = if (negative || trimmed.startsWith("+")) trimmed.substring(1) else trimmed
    val hexadecimal = digits.startsWith("0x") || digits.startsWith("0X")
    val body = if (hexadecimal) digits.substring(2) else digits
    if (body.isEmpty || !body.forall(c => c >= '0' && c <= '9' || hexadecimal && (c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'))) {
      throw new NumberFormatException
    }
    val value = new BigInteger(body, if (hexadecimal) 16 else 10)
    if (negative) value.negate() else value
  }

  private def isBlank(c: Char): Boolean = c == ' ' || c >= '\t' && c <= '\r'

  def quoted(text: String): String = {
    val shown = if (text.length > 40) text.substring(0, 40) + "..." else text
    "'" + shown.map(c => if (c < ' ' || c == 0x7f) '?' else c) + "'"
  }

  /** A number in exactly so many bytes. */
  def wide(number: Array[Byte], width: Int): Array[Byte] = {
    if (number.length == width) {
      return number
    }
    val row = new Array[Byte](width)
    val copied = math.min(width, number.length)
    System.arraycopy(number, number.length - copied, row, width - copied, copied)
    row
  }
}
